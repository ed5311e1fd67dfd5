import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

/** A word that occurs once in the file: in its first entry, the last one that is reached. */
export const rareWord = 'Zinnober-Quittung';
/** A word that every entry has, but none where people search, so that each has to be read. */
export const vainWord = 'production';

const partBytes = 16_777_216;

/** Writes a log of about this size: nine lines of JSON of ten, and errors as Laravel writes them, with their stacks. */
export async function writeLogFile(path: string, bytes: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(`{"level":"info","time":"2026-11-20T00:00:00.000Z","env":"production","msg":"${rareWord}"}\n`);
  const part = Buffer.from(manyEntries());
  for (let writtenBytes = 0; writtenBytes < bytes; writtenBytes += part.length) {
    if (!file.write(part)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

function manyEntries(): string {
  let text = '';
  for (let n = 0; text.length < partBytes; n += 1) text += n % 10 === 0 ? failure(n) : servedLine(n);
  return text;
}

function servedLine(n: number): string {
  const id = `0193-${n.toString(16).padStart(8, '0')}-7abc`;
  return `{"level":"info","time":"${timeOf(n)}","env":"production","request_id":"${id}","method":"GET","path":"/api/apps/${n % 977}","status":200,"ms":${n % 313},"msg":"Request served"}\n`;
}

function failure(n: number): string {
  const time = timeOf(n).replace('T', ' ').replace('Z', '000+00:00');
  const frames = Array.from(
    { length: 4 },
    (_, at) => `#${at} /srv/vendor/laravel/framework/src/Illuminate/Pipeline/Pipeline.php(${180 + at}): handle()`,
  );
  return [
    `[${time}] production.ERROR: Payout ${n} was refused {"app":${n % 977},"path":"\\/api\\/apps"} []`,
    ...frames,
    '#4 {main}',
    '',
  ].join('\n');
}

function timeOf(n: number): string {
  return new Date(Date.UTC(2026, 10, 20) + n).toISOString();
}

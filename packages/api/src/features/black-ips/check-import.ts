import type * as contract from '@switchyard/contract/black-list-import';
import { toFile } from '@switchyard/traffic-store/csv';
import type { Readable } from 'node:stream';
import type { Call } from '../../http/bind.ts';
import { expiryOf, type BlackListDeps } from './black-list-commands.ts';
import { classifyImport, countLines, noCounts, readImport, type ClassifiedLine } from './classify-import.ts';
import { findProtection } from './protected-lookup.ts';

function toJsonLine({ extends: _extends, ...row }: ClassifiedLine): string {
  return `${JSON.stringify(row satisfies contract.ImportLine)}\n`;
}

/** What an import would do with each line, as JSON lines, and the counts at the end. An error before the first line rejects. */
export async function checkImport(
  { db, now, protection }: BlackListDeps,
  body: Call<typeof contract.checkBlackListImport>['body'],
  readerIp: string,
): Promise<Readable> {
  const at = now();
  const expiresAt = expiryOf(body, at);
  const rows = readImport(body.list);
  const protectedReason = await findProtection(db, protection, readerIp);
  async function* parts(): AsyncGenerator<Buffer> {
    let counts = noCounts;
    for await (const lines of classifyImport(db, rows, { expiresAt, now: at, protectedReason })) {
      counts = countLines(counts, lines);
      yield Buffer.from(lines.map(toJsonLine).join(''));
    }
    yield Buffer.from(`${JSON.stringify({ counts })}\n`);
  }
  return toFile(parts());
}

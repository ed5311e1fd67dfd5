import { appendFileSync, mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { StartRefused } from './start-refused.ts';

/** Our own log: JSON lines, one file a day (O6). */
export type Log = {
  logger: pino.Logger<ExtraLevel>;
  /** Deletes files older than the retention. */
  removeOld: () => Promise<void>;
};

/** Values of these keys never reach a log, wherever they stand (S16, S27, S45). */
const secretKeys = [
  'password',
  'authorization',
  'token',
  'accessToken',
  'apiSecret',
  'mainHash',
  'hash',
  'private_key',
  'cookie',
  'set-cookie',
];
const redacted = secretKeys.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]);

/** The levels of the log viewers that pino lacks, between and above its own (LOG-007). */
const extraLevels = { notice: 35, alert: 70, emergency: 80 } as const;
type ExtraLevel = keyof typeof extraLevels;
/** The viewers' names of pino's levels. */
const levelNames: Readonly<Record<string, string>> = { warn: 'warning', fatal: 'critical', trace: 'debug' };

/**
 * What is told of an error. Drivers hang whole connections on theirs, with what they know of passwords and rows, so
 * nothing else is taken over.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined || depth > 3 ? {} : { cause: describeError(error.cause, depth + 1) };
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}

const fileName = /^console-(\d{4}-\d{2}-\d{2})\.log$/;

/**
 * Opens the log in a folder. Each line is appended to the file of its day by a call of its own: there are few of
 * them, and so a file that somebody deletes or moves away never takes the next line with it.
 * @throws StartRefused when the folder cannot be made.
 */
export function openLog(options: { dir: string; retentionDays: number; environment: string; now: () => Date }): Log {
  const { dir, retentionDays, environment, now } = options;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o750 });
  } catch (error) {
    throw new StartRefused(`The log folder ${dir} (LOG_DIR) cannot be made: ${error instanceof Error ? error.message : String(error)}`);
  }
  let isBroken = false;

  function write(line: string): void {
    const day = now().toISOString().slice(0, 10);
    try {
      // What could not be written may stand there in part; the next line must not become one with it.
      appendFileSync(join(dir, `console-${day}.log`), isBroken ? `\n${line}` : line, { mode: 0o640 });
      isBroken = false;
    } catch (error) {
      // A full disk must not end the console; said once, not with every line.
      if (!isBroken)
        process.stderr.write(`The log in ${dir} cannot be written: ${error instanceof Error ? error.message : String(error)}\n`);
      isBroken = true;
    }
  }

  const logger = pino(
    {
      level: 'info',
      customLevels: extraLevels,
      base: { env: environment },
      timestamp: () => `,"time":"${now().toISOString()}"`,
      formatters: { level: (label) => ({ level: levelNames[label] ?? label }) },
      serializers: { err: (error: unknown) => describeError(error) },
      redact: { paths: redacted, censor: '[redacted]' },
    },
    { write },
  );

  return {
    logger,
    async removeOld() {
      const oldest = new Date(now().getTime() - retentionDays * 86_400_000).toISOString().slice(0, 10);
      for (const name of await readdir(dir)) {
        const day = fileName.exec(name)?.[1];
        if (day !== undefined && day < oldest) await rm(join(dir, name), { force: true });
      }
    },
  };
}

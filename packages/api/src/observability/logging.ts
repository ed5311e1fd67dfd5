import { appendFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { fileReason, makeFolder } from '@switchyard/embedded-postgres/data-folder';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

/** The console's own log: JSON lines, one file a day. */
export type Log = {
  logger: pino.Logger<ExtraLevel>;
  /** Deletes files older than the retention. */
  removeOld: () => Promise<void>;
  /** How many lines could not be written. */
  writeErrors: () => number;
};

/** Values of these keys are redacted at every logged depth. */
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
const redactedPaths = secretKeys.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]);

/** Levels of the log viewers that pino lacks. */
const extraLevels = { notice: 35, alert: 70, emergency: 80 } as const;
type ExtraLevel = keyof typeof extraLevels;
/** Names of pino's levels in the viewers. */
const levelNames: Readonly<Record<string, string>> = { warn: 'warning', fatal: 'critical', trace: 'debug' };

/** Characters of the texts of an error at most: drivers repeat values that callers sent. */
const longest = { message: 1_000, stack: 4_000 } as const;

/** Logged fields of an error. Drivers attach whole connections to their errors, with passwords and rows, so other fields are dropped. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.slice(0, longest.message);
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined || depth > 3 ? {} : { cause: describeError(error.cause, depth + 1) };
  const stack = error.stack?.replace(error.message, () => message).slice(0, longest.stack);
  return { type: error.name, message, ...code, stack, ...cause };
}

/** Files of all processes that share the folder. */
const fileName = /^console-(?:.+-)?(\d{4}-\d{2}-\d{2})\.log$/;

/**
 * Opens the log in a folder. Each line opens and appends to the file of its day, so a deleted or moved file does not lose later
 * lines. `instance` distinguishes the files of several processes. `echo` gets each line, too, for log collectors. @throws
 * StartupError if the folder cannot be created.
 */
export function openLog(options: {
  dir: string;
  instance?: string | null;
  echo?: ((line: string) => void) | null;
  retentionDays: number;
  environment: string;
  now: () => Date;
}): Log {
  const { dir, instance = null, echo = null, retentionDays, environment, now } = options;
  const prefix = instance === null ? 'console' : `console-${instance}`;
  try {
    makeFolder(dir, 0o750);
  } catch (error) {
    throw new StartupError(`LOG_DIR ${dir}: cannot create the folder (${fileReason(error)})`);
  }
  let isBroken = false;
  let errors = 0;

  function write(line: string): void {
    echo?.(line);
    const day = now().toISOString().slice(0, 10);
    try {
      // A failed write may have left part of a line; start a new one.
      appendFileSync(join(dir, `${prefix}-${day}.log`), isBroken ? `\n${line}` : line, { mode: 0o640 });
      isBroken = false;
    } catch (error) {
      errors += 1;
      // A full disk must not stop the console. Report it once, not for every line.
      if (!isBroken) process.stderr.write(`Log in ${dir}: cannot write (${error instanceof Error ? error.message : String(error)})\n`);
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
      redact: { paths: redactedPaths, censor: '[redacted]' },
    },
    { write },
  );

  return {
    logger,
    writeErrors: () => errors,
    async removeOld() {
      const oldest = new Date(now().getTime() - retentionDays * 86_400_000).toISOString().slice(0, 10);
      for (const name of await readdir(dir)) {
        const day = fileName.exec(name)?.[1];
        if (day !== undefined && day < oldest) await rm(join(dir, name), { force: true });
      }
    },
  };
}

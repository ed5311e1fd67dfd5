import bunyan from 'bunyan';
import fc from 'fast-check';
import log4js from 'log4js';
import { writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { pino, stdTimeFunctions } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { format } from 'winston';
import { openLogFile } from './testing/log-file.ts';

const log = openLogFile();
afterAll(log.remove);

const levels = ['debug', 'info', 'warn', 'error'] as const;
type WrittenRecord = { level: (typeof levels)[number]; message: string; order: number; note: string };

const lines: string[] = [];
const stream = { write: (line: string) => lines.push(line) };

function writePino(timestamp: () => string) {
  const logger = pino({ level: 'debug', timestamp }, stream);
  return ({ level, message, order, note }: WrittenRecord) => logger[level]({ order, note }, message);
}

const bunyanStream = new Writable({
  write(line, _encoding, done) {
    stream.write(String(line));
    done();
  },
});
const bunyanLogger = bunyan.createLogger({ name: 'shop', streams: [{ level: 'debug', stream: bunyanStream }] });
const winstonFormat = format.combine(format.timestamp(), format.json());
const messageKey = Symbol.for('message');

log4js.configure({
  appenders: {
    basic: {
      type: { configure: (_: unknown, layouts) => (event: log4js.LoggingEvent) => stream.write(`${layouts?.basicLayout(event)}\n`) },
    },
  },
  categories: { default: { appenders: ['basic'], level: 'debug' } },
});
const log4jsLogger = log4js.getLogger('shop');

/** Writes a record as a library prints it, and names the parts that it prints. */
const libraries: Readonly<Record<string, { write: (record: WrittenRecord) => void; hasFields: boolean }>> = {
  'pino, milliseconds': { write: writePino(stdTimeFunctions.epochTime), hasFields: true },
  'pino, seconds': { write: writePino(stdTimeFunctions.unixTime), hasFields: true },
  'pino, ISO 8601': { write: writePino(stdTimeFunctions.isoTime), hasFields: true },
  bunyan: { write: ({ level, message, order, note }) => bunyanLogger[level]({ order, note }, '%s', message), hasFields: true },
  winston: {
    write(record) {
      const info = winstonFormat.transform({ ...record }, {});
      if (typeof info !== 'boolean') lines.push(`${String(info[messageKey])}\n`);
    },
    hasFields: true,
  },
  log4js: { write: ({ level, message }) => log4jsLogger[level](message), hasFields: false },
};

const record = fc.record({
  level: fc.constantFrom(...levels),
  message: fc.stringMatching(/^[a-z]{3}[A-Za-z0-9 äж😀"'=:-]{0,20}[a-z]$/u),
  order: fc.integer(),
  note: fc.string(),
});

describe('what libraries print', () => {
  it.each(Object.entries(libraries))('[LOGX-009] %s is parsed back', async (name, { write, hasFields }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 8 }), async (records) => {
        lines.length = 0;
        const from = new Date().toISOString().slice(0, 13).replace('T', ' ');
        for (const one of records) write(one);
        writeFileSync(log.path, lines.join(''));
        // A random message may look like a secret.
        const { entries } = await log.page({ limit: '200', secrets: '1' }, log.fresh());
        expect(entries.toReversed().map(({ level, header, context }) => [level, header, context])).toEqual(
          records.map(({ level, message, order, note }) => [
            level === 'warn' ? 'warning' : level,
            name === 'log4js' ? `shop - ${message}` : message,
            hasFields ? expect.objectContaining({ order, note }) : null,
          ]),
        );
        // log4js prints the local time without its zone.
        if (hasFields) for (const { datetime } of entries) expect(datetime >= from).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

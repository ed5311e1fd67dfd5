import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLog } from './logging.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

let dir = '';
let moment = new Date('2026-11-20T23:59:59.500Z');
const open = (instance: string | null = null) =>
  openLog({ dir: join(dir, 'logs'), instance, retentionDays: 30, environment: 'test', now: () => moment });
const lines = (day: string): Record<string, unknown>[] =>
  readFileSync(join(dir, 'logs', `console-${day}.log`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'switchyard-log-'));
  moment = new Date('2026-11-20T23:59:59.500Z');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('our own log', () => {
  it('writes JSON lines, one file a day', () => {
    const { logger } = open();
    logger.info({ request_id: 'abc' }, 'late');
    moment = new Date('2026-11-21T00:00:00.000Z');
    logger.warn('early');
    expect(lines('2026-11-20')).toEqual([{ level: 'info', time: '2026-11-20T23:59:59.500Z', env: 'test', request_id: 'abc', msg: 'late' }]);
    expect(lines('2026-11-21')).toMatchObject([{ level: 'warning', msg: 'early' }]);
  });

  it('[LOG-001] hands each line to a collector, too, and when the file cannot be written', () => {
    const echoedLines: string[] = [];
    const { logger } = openLog({
      dir: join(dir, 'logs'),
      retentionDays: 30,
      environment: 'test',
      now: () => moment,
      echo: (line) => echoedLines.push(line),
    });
    logger.warn({ token: 'swy_x' }, 'first');
    expect(echoedLines).toEqual([readFileSync(join(dir, 'logs', 'console-2026-11-20.log'), 'utf8')]);
    rmSync(join(dir, 'logs'), { recursive: true });
    logger.warn('second');
    expect(echoedLines[1]).toContain('second');
  });

  it('[LOG-001] has files of its own for each process that shares the folder, and deletes old ones of all', async () => {
    open('web-1').logger.info('one');
    open('web-2').logger.info('other');
    open().logger.info('unnamed');
    const names = ['console-2026-11-20.log', 'console-web-1-2026-11-20.log', 'console-web-2-2026-11-20.log'];
    expect(readdirSync(join(dir, 'logs'))).toEqual(names);
    moment = new Date('2026-12-21T00:00:00.000Z');
    await open('web-3').removeOld();
    expect(readdirSync(join(dir, 'logs'))).toEqual([]);
  });

  it('knows the eight levels of the viewers by their names', () => {
    const { logger } = open();
    logger.level = 'debug';
    logger.debug('');
    logger.info('');
    logger.notice('');
    logger.warn('');
    logger.error('');
    logger.fatal('');
    logger.alert('');
    logger.emergency('');
    const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
    expect(lines('2026-11-20').map((line) => line['level'])).toEqual(levels);
  });

  it('never holds a secret, and no text can forge a line', () => {
    const { logger } = open();
    logger.error(
      { body: { password: 'hunter2', nested: { token: 'swy_x' } }, authorization: 'Bearer y', email: 'a\n[2026] CRITICAL x' },
      'sign-in',
    );
    const text = readFileSync(join(dir, 'logs', 'console-2026-11-20.log'), 'utf8');
    expect(text).not.toMatch(/hunter2|swy_x|Bearer/);
    expect(lines('2026-11-20')).toHaveLength(1);
  });

  it.each(['password', 'authorization', 'token', 'accessToken', 'apiSecret', 'mainHash', 'hash', 'private_key', 'cookie', 'set-cookie'])(
    '[S45] leaves the value of %s out, whether it is a text or a list, at every depth',
    (key) => {
      const { logger } = open();
      const values = { [key]: 'canary=1; HttpOnly' };
      logger.warn({ ...values, headers: values, request: { headers: { [key]: ['canary=1', 'canary=2'] } } }, 'call');
      const hiddenValue = { [key]: '[redacted]' };
      expect(lines('2026-11-20')).toMatchObject([{ ...hiddenValue, headers: hiddenValue, request: { headers: hiddenValue } }]);
      expect(JSON.stringify(lines('2026-11-20'))).not.toContain('canary');
    },
  );

  it('logs an error by its name, text, code and cause, without its other properties', () => {
    const { logger } = open();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const error = Object.assign(new TypeError('broken', { cause }), { client: { secretKey: 4711 }, parameters: ['a row'] });
    logger.error({ err: error }, 'failed');
    const [line] = lines('2026-11-20');
    expect(line).toMatchObject({ err: { type: 'TypeError', message: 'broken', cause: { message: 'refused', code: 'ECONNREFUSED' } } });
    expect(JSON.stringify(line)).not.toMatch(/4711|a row/);
  });

  it('[API-091] cuts the message and the stack of an error, which may repeat what a caller sent', () => {
    const { logger } = open();
    logger.error({ err: new Error('x'.repeat(100_000)) }, 'failed');
    const [line] = lines('2026-11-20');
    expect(line).toMatchObject({ err: { message: 'x'.repeat(1000), stack: expect.stringMatching(/^Error: x{1000}\n +at /) } });
    expect(JSON.stringify(line).length).toBeLessThan(6000);
  });

  it('rejects in one line a folder that cannot be created', () => {
    writeFileSync(join(dir, 'logs'), '');
    expect(() => open()).toThrow(StartupError);
    expect(() => open()).toThrow(/LOG_DIR/);
  });

  it('loses no line when the file of the day is deleted', () => {
    const { logger } = open();
    logger.info('one');
    rmSync(join(dir, 'logs', 'console-2026-11-20.log'));
    logger.info('two');
    expect(lines('2026-11-20')).toMatchObject([{ msg: 'two' }]);
  });

  it('deletes files past retention and nothing else', async () => {
    const log = open();
    for (const name of ['console-2026-10-20.log', 'console-2026-10-21.log', 'notes.txt', 'other-2020-01-01.log'])
      writeFileSync(join(dir, 'logs', name), '');
    await log.removeOld();
    expect(readdirSync(join(dir, 'logs')).toSorted()).toEqual(['console-2026-10-21.log', 'notes.txt', 'other-2020-01-01.log']);
  });

  it('[R15] keeps the next line whole after one that found no room and was written in part', () => {
    const { logger } = open();
    const [folder, aside] = [join(dir, 'logs'), join(dir, 'aside')];
    writeFileSync(join(folder, 'console-2026-11-20.log'), '{"level":"in');
    renameSync(folder, aside);
    writeFileSync(folder, '');
    logger.info('nowhere');
    rmSync(folder);
    renameSync(aside, folder);
    logger.info('whole');
    logger.info('next');
    const [part, ...whole] = readFileSync(join(folder, 'console-2026-11-20.log'), 'utf8').trimEnd().split('\n');
    expect(part).toBe('{"level":"in');
    expect(whole.map((line): unknown => JSON.parse(line))).toMatchObject([{ msg: 'whole' }, { msg: 'next' }]);
  });

  it('[MON-001] goes on when it cannot write, and counts the lines', () => {
    const { logger, writeErrors } = open();
    logger.info('stored');
    expect(writeErrors()).toBe(0);
    rmSync(join(dir, 'logs'), { recursive: true });
    writeFileSync(join(dir, 'logs'), '');
    expect(() => logger.info('nowhere')).not.toThrow();
    logger.info('nowhere either');
    expect(writeErrors()).toBe(2);
  });
});

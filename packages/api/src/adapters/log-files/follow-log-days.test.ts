import type { LogLevel } from '@switchyard/contract/log-viewer';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { followLogDays, type FollowedLog, type LogEvent } from './follow-log-days.ts';
import { createLogReader, type LogReader } from './log-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-follow-'));
const dir = join(folder, 'logs');
const reader = createLogReader({ indexDir: join(folder, 'index') });
const date = '2026-11-20';
const path = join(dir, `app-${date}.log`);
afterAll(async () => {
  await reader.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  unreadable.clear();
  asked.length = 0;
});

const unreadable = new Set<string>();
const asked: string[] = [];
const news: LogReader['news'] = async (file, place, query) => {
  asked.push(file);
  return unreadable.has(file) ? null : reader.news(file, place, query);
};

const json = (msg: string, more: object = {}) => `${JSON.stringify({ level: 'info', msg, ...more })}\n`;

type Options = { text?: string; levels?: readonly LogLevel[]; secrets?: boolean } & Partial<Pick<FollowedLog, 'after' | 'beforeDay'>>;

/** Follows the log; `next` gives the next event in short, after a poll for what is there. */
async function follow({ text, levels = [], secrets = false, after, beforeDay = async () => undefined }: Options = {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const events = followLogDays(
    { news },
    {
      dir,
      date,
      query: {
        term: text === undefined ? null : { query: text, isRegex: false },
        levels: levels.length === 0 ? null : levels,
        secrets,
      },
      after,
      signal: stop.signal,
      beforeDay,
    },
  );
  const position = { id: '' };
  const nextOfAll = async (): Promise<LogEvent> => {
    const { value } = await events.next();
    if (value === undefined) throw new Error('The stream ended');
    position.id = value.id;
    return value;
  };
  /** The next event that a client sees. */
  const next = async (): Promise<LogEvent> => {
    const event = await nextOfAll();
    return event.kind === 'start' ? next() : event;
  };
  expect((await nextOfAll()).kind).toBe('start');
  return {
    position,
    next,
    nextOfAll,
    rows: async () => {
      const event = await next();
      return event.kind === 'rows' ? event.rows.map(({ header }) => header) : event;
    },
    stop: () => stop.abort(),
  };
}

describe('following a log', () => {
  it('[LOGX-023] gives what is written from now on, with the ids of the page, by level and text', async () => {
    writeFileSync(path, json('before'));
    const [all, errors, found] = [await follow(), await follow({ levels: ['error'] }), await follow({ text: 'TWO' })];
    appendFileSync(path, json('one') + json('two', { level: 'error', context: { n: 9_007_199_254_740_993n.toString() } }));
    const event = await all.next();
    expect(event).toMatchObject({
      kind: 'rows',
      rows: [
        { id: 1, date, level: 'info', header: 'one' },
        { id: 2, date, level: 'error', header: 'two' },
      ],
    });
    expect([await errors.rows(), await found.rows()]).toEqual([['two'], ['two']]);
  });

  it('[LOGX-023] waits for the end of a line, and gives an entry again when lines are added to it', async () => {
    writeFileSync(path, `[${date} 10:00:00] app.INFO: before\n`);
    const { rows, next } = await follow();
    appendFileSync(path, `[${date} 10:00:01] app.ERROR: whole\n[${date} 10:00:02] app.ERR`);
    expect(await rows()).toEqual(['whole']);
    appendFileSync(path, 'OR: failed\n');
    expect(await rows()).toEqual(['failed']);
    appendFileSync(path, '#0 frame\n');
    expect(await next()).toMatchObject({ kind: 'rows', rows: [{ id: 2, header: 'failed', stack: '#0 frame' }] });
  });

  it('[LOGX-023] continues after the last event, and says so if its position is unknown', async () => {
    writeFileSync(path, json('before'));
    const first = await follow();
    appendFileSync(path, json('one'));
    expect(await first.rows()).toEqual(['one']);
    first.stop();
    appendFileSync(path, json('two'));
    const second = await follow({ after: first.position.id });
    expect(await second.rows()).toEqual(['two']);
    const third = await follow({ after: 'x' });
    expect(await third.next()).toMatchObject({ kind: 'gap', skipped: null });
  });

  it('[LOGX-023] keeps the order of a file, and names the source on a day with another file', async () => {
    writeFileSync(path, '');
    writeFileSync(`${path}.1.gz`, '');
    const { next } = await follow();
    appendFileSync(path, `[${date} 10:00:02] app.INFO: one\n[${date} 10:00:01] app.INFO: two\n`);
    expect(await next()).toMatchObject({
      rows: [
        { header: 'one', source: 'app' },
        { header: 'two', source: 'app' },
      ],
    });
  });

  it('[LOGX-023] gives the position behind entries that do not match', async () => {
    writeFileSync(path, json('before'));
    const { nextOfAll, position } = await follow({ levels: ['error'] });
    const { id } = position;
    appendFileSync(path, json('one'));
    expect([(await nextOfAll()).kind, position.id === id]).toEqual(['start', false]);
  });

  it('[LOGX-024] reads a renamed file to its end, then the new one, and a second writer and the next day from their beginning', async () => {
    writeFileSync(path, json('before'));
    const { rows } = await follow();
    appendFileSync(path, json('last'));
    renameSync(path, `${path}.1`);
    writeFileSync(path, json('first'));
    expect(await rows()).toEqual(['last']);
    expect(await rows()).toEqual(['first']);
    writeFileSync(join(dir, `web-${date}.log`), json('of another'));
    expect(await rows()).toEqual(['of another']);
    writeFileSync(join(dir, 'app-2026-11-21.log'), json('tomorrow'));
    expect(await rows()).toEqual(['tomorrow']);
  });

  it('[LOGX-024] reads a file that is rotated after a reconnect, and the new one, once', async () => {
    writeFileSync(path, json('before'));
    const first = await follow();
    first.stop();
    const { rows } = await follow({ after: first.position.id });
    appendFileSync(path, json('last'));
    renameSync(path, `${path}.1`);
    writeFileSync(path, json('first'));
    expect(await rows()).toEqual(['last']);
    expect(await rows()).toEqual(['first']);
    appendFileSync(path, json('second'));
    expect(await rows()).toEqual(['second']);
  });

  it('[LOGX-023] reads neither rotated files nor files at rest', async () => {
    const web = join(dir, `web-${date}.log`);
    for (const file of [path, `${path}.1`, web]) writeFileSync(file, json('before'));
    const { rows } = await follow();
    for (const text of ['one', 'two', 'three']) {
      appendFileSync(path, json(text));
      expect(await rows()).toEqual([text]);
    }
    expect(asked.filter((file) => file !== path)).toEqual([web]);
  });

  it('[LOGX-024] reports no gap when a rotated file is deleted', async () => {
    writeFileSync(path, json('before'));
    const { rows } = await follow();
    renameSync(path, `${path}.1`);
    writeFileSync(path, json('first'));
    expect(await rows()).toEqual(['first']);
    rmSync(`${path}.1`);
    appendFileSync(path, json('second'));
    expect(await rows()).toEqual(['second']);
  });

  it('[LOGX-024] takes no other file for one that cannot be read', async () => {
    writeFileSync(path, json('before'));
    const { rows } = await follow();
    unreadable.add(join(dir, `web-${date}.log`));
    writeFileSync(join(dir, `web-${date}.log`), json('unreadable'));
    for (const text of ['one', 'two', 'three']) {
      appendFileSync(path, json(text));
      expect(await rows()).toEqual([text]);
    }
  });

  it.each([
    ['truncated', () => truncateSync(path, 0)],
    [
      'truncated',
      () => {
        copyFileSync(path, `${path}.1`);
        truncateSync(path, 0);
      },
    ],
    [
      'replaced',
      () => {
        writeFileSync(`${path}.new`, json('before') + json('before'));
        renameSync(`${path}.new`, path);
        truncateSync(path, 0);
      },
    ],
    ['deleted', () => rmSync(path)],
  ])('[LOGX-024] reports a gap when the file is %s, and goes on with what it has then', async (reason, spoil) => {
    writeFileSync(path, json('before') + json('before'));
    const { next, rows } = await follow();
    appendFileSync(path, json('one'));
    expect(await rows()).toEqual(['one']);
    spoil();
    const gap = await next();
    expect(gap).toMatchObject({ kind: 'gap', skipped: null, reason });
    appendFileSync(path, json('new'));
    expect(await rows()).toEqual(['new']);
  });

  it('[LOGX-025] sends the newest entries of a burst, and how many it left out', async () => {
    writeFileSync(path, json('before'));
    const [all, filtered] = [await follow(), await follow({ text: 'n' })];
    appendFileSync(path, Array.from({ length: 600 }, (_, n) => json(`n ${n}`)).join(''));
    expect(await all.next()).toMatchObject({ kind: 'gap', skipped: 100, reason: 'rate' });
    expect(await all.rows()).toEqual(Array.from({ length: 500 }, (_, n) => `n ${n + 100}`));
    const text = 'x'.repeat(1000);
    appendFileSync(path, Array.from({ length: 20_000 }, (_, n) => json(`m ${n}`, { text })).join(''));
    const gap = await all.next();
    expect(gap).toEqual({ kind: 'gap', id: expect.any(String), skipped: 19_500, reason: 'rate' });
    expect(await all.rows()).toEqual(Array.from({ length: 500 }, (_, n) => `m ${n + 19_500}`));
    // How many of those that were not read match is unknown.
    expect(await filtered.next()).toMatchObject({ kind: 'gap', skipped: null });
  });

  it('[LOGX-011] neither shows nor finds secrets', async () => {
    writeFileSync(path, json('before'));
    const [shown, found, open] = [await follow(), await follow({ text: 'hunter2' }), await follow({ text: 'hunter2', secrets: true })];
    appendFileSync(path, json('Sign-in', { password: 'hunter2' }) + json('later'));
    expect(JSON.stringify(await shown.next())).not.toContain('hunter2');
    expect(await open.rows()).toEqual(['Sign-in']);
    appendFileSync(path, json('visible hunter2'));
    expect(await found.rows()).toEqual(['visible hunter2']);
  });
});

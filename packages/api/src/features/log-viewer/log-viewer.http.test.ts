import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { openLog } from '../../logging.ts';

const { databases } = await createTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-viewer-'));
const LOG_DIR = join(folder, 'logs');
const APP_LOG_DIR = join(folder, 'app-logs');
const day = '2026-11-20';
const file = join(LOG_DIR, `console-${day}.log`);
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases, env: { LOG_DIR, APP_LOG_DIR } });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => {
    await api.app.close();
    rmSync(folder, { recursive: true, force: true });
  };
});
beforeEach(() => {
  for (const dir of [LOG_DIR, APP_LOG_DIR]) {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir);
  }
});

const call = async (method: 'GET' | 'DELETE', path: string, body?: object) =>
  api.call(method, `/api/${path}`, { headers: admin.headers, ...(body === undefined ? {} : { body }) });
const headersOf = (rows: { header: string }[]) => rows.map(({ header }) => header);

const mixed = [
  '[2026-11-20 10:00:00] production.ERROR: Broken {"path":"/api"} []',
  '#0 /srv/a.php(1)',
  '#1 {main}',
  '{"level":"info","time":"2026-11-20T10:00:01.123Z","env":"production","request_id":"abc","msg":"Served"}',
  '{"message":"Slow","context":{"ms":9},"level":300,"level_name":"WARNING","channel":"app","datetime":"2026-11-20T12:00:02.000123+02:00","extra":[]}',
  '{"level":50,"time":1795168803000,"err":{"message":"x","stack":"Error: x\\n  at y"},"msg":"Failed"}',
  '{"broken',
  '',
].join('\n');

describe.each([
  ['log-viewer/logs', LOG_DIR],
  ['octopus-app/log', APP_LOG_DIR],
])('the viewer at %s', (base, dir) => {
  it('[LOG-030] [ENT-037] [LOG-005] [LOG-006] [LOG-007] [AMB-209] [AMB-212] lists days, newest first, with counts that add up', async () => {
    writeFileSync(join(dir, 'console-2026-11-19.log'), '');
    writeFileSync(join(dir, `console-${day}.log`), mixed);
    writeFileSync(join(dir, 'notes.txt'), 'x');
    const { status, body } = await call('GET', base);
    const none = { emergency: 0, alert: 0, critical: 0, error: 0, warning: 0, notice: 0, info: 0, debug: 0 };
    expect([status, body.data]).toEqual([
      200,
      [
        { ...none, date: day, all: 4, error: 2, warning: 1, info: 1 },
        { ...none, date: '2026-11-19', all: 0 },
      ],
    ]);
    expect(body.pagination).toMatchObject({ total: 2, limit: 20 });
  });

  it('[ENT-038] [LOG-003] [LOG-015] [LOG-017] [LOG-018] [LOG-019] [LOG-024] shows entries of every known form, newest first, with the figures of the day', async () => {
    writeFileSync(join(dir, `console-${day}.log`), mixed);
    // A newer day beside it, so that answering whichever is the latest would show.
    writeFileSync(join(dir, 'console-2026-11-21.log'), '');
    const { body } = await call('GET', `${base}/${day}?limit=3`);
    expect(body.data.entries).toEqual([
      {
        id: 3,
        env: '',
        level: 'error',
        datetime: '2026-11-20 10:00:03',
        header: 'Failed',
        context: { err: { message: 'x' } },
        stack: 'Error: x\n  at y\n{"broken',
        truncated: false,
      },
      {
        id: 2,
        env: 'app',
        level: 'warning',
        datetime: '2026-11-20 10:00:02',
        header: 'Slow',
        context: { ms: 9 },
        stack: null,
        truncated: false,
      },
      {
        id: 1,
        env: 'production',
        level: 'info',
        datetime: '2026-11-20 10:00:01',
        header: 'Served',
        context: { request_id: 'abc' },
        stack: null,
        truncated: false,
      },
    ]);
    expect(body.pagination).toMatchObject({ total: 4, count: 3, totalPages: 2 });
    expect(body.data).toMatchObject({ all: 4, path: `${dir.split('/').at(-1)}/console-${day}.log`, size_bytes: mixed.length });
    const { body: errors } = await call('GET', `${base}/${day}?level=error&page=2&limit=1`);
    expect(errors.data.entries).toEqual([
      {
        id: 0,
        env: 'production',
        level: 'error',
        datetime: '2026-11-20 10:00:00',
        header: 'Broken',
        context: { path: '/api' },
        stack: '#0 /srv/a.php(1)\n#1 {main}',
        truncated: false,
      },
    ]);
    expect([errors.pagination.total, errors.data.all]).toEqual([2, 4]);
  });

  it('[LOG-022] [LOG-004] [AMB-214] searches literally in header, context and stack, and takes an unknown level for all', async () => {
    writeFileSync(join(dir, `console-${day}.log`), mixed);
    const found = async (query: string) =>
      headersOf((await call('GET', `${base}/${day}?level=odd&query=${encodeURIComponent(query)}`)).body.data.entries);
    expect(await found('SERVED')).toEqual(['Served']);
    expect(await found('/API')).toEqual(['Broken']);
    expect(await found('{main}')).toEqual(['Broken']);
    expect(await found('(a+)+$')).toEqual([]);
    expect((await call('GET', `${base}/${day}?query=${'a'.repeat(201)}`)).status).toBe(422);
  });

  it('[API-071] [API-076] [AMB-069] [AMB-210] names the levels', async () => {
    const { body } = await call('GET', `${base}/levels`);
    const names = ['all', 'emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'];
    expect(body).toEqual({ success: true, data: names.map((name) => ({ name, label: name.charAt(0).toUpperCase() + name.slice(1) })) });
  });

  it('[API-072] [API-077] [AMB-068] deletes a day by body or query, the body first', async () => {
    writeFileSync(join(dir, `console-${day}.log`), mixed);
    expect((await call('DELETE', `${base}/delete`, {})).body.errors).toEqual({ date: ['The date field is required.'] });
    expect((await call('DELETE', `${base}/delete?date=${day}`, { date: '2026-11-21' })).status).toBe(404);
    expect((await call('DELETE', `${base}/delete`, { date: '../logs/console-2026-11-20' })).status).toBe(404);
    expect((await call('DELETE', `${base}/delete?date=${day}`, {})).status).toBe(204);
    expect((await call('GET', `${base}/${day}`)).status).toBe(404);
  });

  it('hands out the file as it is', async () => {
    writeFileSync(join(dir, `console-${day}.log`), mixed);
    const { headers, body } = await call('GET', `${base}/${day}/raw`);
    expect([headers['content-disposition'], body]).toEqual([`attachment; filename="${day}.log"`, mixed]);
  });

  it('[LOG-029] [API-070] [API-075] [AMB-211] [AMB-066] gives the workbook with and without the slash at the end', async () => {
    writeFileSync(join(dir, `console-${day}.log`), mixed);
    for (const path of [`${base}/${day}/download/`, `${base}/${day}/download`]) {
      const answer = await api.app.inject({ method: 'GET', url: `/api/${path}`, headers: admin.headers });
      expect(answer.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
      expect(answer.headers['content-disposition']).toBe('attachment; filename="log.xlsx"');
      const saved = join(folder, 'log.xlsx');
      writeFileSync(saved, answer.rawPayload);
      const sheet = execFileSync('python3', ['-c', readSheet, saved], { encoding: 'utf8' });
      const rows = JSON.parse(sheet);
      expect(rows[0]).toEqual(['env', 'level', 'time', 'header', 'context', 'stack']);
      expect(rows.map((row: string[]) => row[3])).toEqual(['header', 'Failed', 'Slow', 'Served', 'Broken']);
    }
    expect((await call('GET', `${base}/2026-01-01/download/`)).status).toBe(404);
  });
});

/** An independent reader of the archive. */
const readSheet = `
import json, sys, zipfile, xml.etree.ElementTree as tree
book = zipfile.ZipFile(sys.argv[1])
assert book.testzip() is None
space = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
rows = tree.fromstring(book.read('xl/worksheets/sheet1.xml')).iter(space + 'row')
print(json.dumps([[''.join(cell.itertext()) for cell in row] for row in rows]))
`;

describe('safety of log files', () => {
  it('[AMB-069] answers 404 to every trick with the date, on every verb, and leaves the target alone (S25)', async () => {
    const target = join(folder, 'secret.log');
    writeFileSync(target, 'secret');
    symlinkSync(target, join(LOG_DIR, '2026-01-01.log'));
    execFileSync('python3', ['-c', 'import os, sys; os.mkfifo(sys.argv[1])', join(LOG_DIR, 'console-2026-01-02.log')]);
    mkdirSync(join(LOG_DIR, 'console-2026-01-03.log'));
    for (const noDay of ['2026-13-40', '2026-02-30']) writeFileSync(join(LOG_DIR, `console-${noDay}.log`), 'x');
    const dates = [
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e',
      '2026-01-01%00',
      '%2fetc%2fpasswd',
      '2026-01-01',
      '2026-01-02',
      '2026-01-03',
      '2026-13-40',
      '2026-02-30',
      '2026-1-1',
    ];
    for (const date of dates) {
      for (const path of [date, `${date}/download/`, `${date}/raw`])
        expect([path, (await call('GET', `log-viewer/logs/${path}`)).status]).toEqual([path, 404]);
      expect((await call('DELETE', 'log-viewer/logs/delete', { date: decodeURIComponent(date) })).status).toBe(404);
    }
    expect((await call('GET', 'log-viewer/logs')).body.data).toEqual([]);
    expect(readFileSync(target, 'utf8')).toBe('secret');
  });

  it('follows a file that grows, is truncated, and is replaced (R16)', async () => {
    const line = (text: string) => `{"level":"info","msg":"${text}"}\n`;
    const shown = async () => headersOf((await call('GET', `log-viewer/logs/${day}`)).body.data.entries);
    writeFileSync(file, line('one') + '{"level":"error"');
    expect(await shown()).toEqual(['one']);
    appendFileSync(file, ',"msg":"two"}\n');
    expect(await shown()).toEqual(['two', 'one']);
    truncateSync(file, 0);
    expect(await shown()).toEqual([]);
    writeFileSync(file, line('other') + line('file') + line('longer') + line('than before'));
    expect(await shown()).toEqual(['than before', 'longer', 'file', 'other']);
    renameSync(file, `${file}.1`);
    writeFileSync(file, line('rotated'));
    expect(await shown()).toEqual(['rotated']);
    writeFileSync(file, `${'\0'.repeat(5000)}${line('after a hole')}`);
    expect(await shown()).toEqual(['after a hole']);
  });

  it('[AMB-216] loses no line when the file of today is deleted', async () => {
    const { logger } = openLog({ dir: LOG_DIR, retentionDays: 30, environment: 'test', now: () => new Date(`${day}T10:00:00Z`) });
    logger.info('before');
    expect((await call('DELETE', 'log-viewer/logs/delete', { date: day })).status).toBe(204);
    expect(existsSync(file)).toBe(false);
    logger.info('after');
    expect(headersOf((await call('GET', `log-viewer/logs/${day}`)).body.data.entries)).toEqual(['after']);
  });

  it('finds what the console itself wrote of a request by its id, and no secret in it (S27)', async () => {
    const { logger } = openLog({ dir: LOG_DIR, retentionDays: 30, environment: 'test', now: () => new Date(`${day}T10:00:00Z`) });
    logger.info('another');
    logger.error(
      { err: new Error('broken'), request_id: 'order-66.retry_2', body: { password: 'hunter2' } },
      'A request failed\n[2026] x.ALERT: forged',
    );
    const { body } = await call('GET', `log-viewer/logs/${day}?query=order-66.retry_2`);
    expect(body.data.entries).toMatchObject([
      {
        level: 'error',
        env: 'test',
        datetime: `${day} 10:00:00`,
        header: 'A request failed\n[2026] x.ALERT: forged',
        context: { request_id: 'order-66.retry_2', body: { password: '[redacted]' }, err: { message: 'broken' } },
        stack: expect.stringContaining('Error: broken'),
      },
    ]);
    expect([body.data.all, body.data.alert]).toEqual([2, 0]);
  });

  it('cuts a download off where the file was truncated meanwhile, so that nobody takes a part for the whole (R16)', async () => {
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
    for (const kind of ['download/', 'raw']) {
      // What cannot be packed, so that the reader's end is full long before the file is read.
      writeFileSync(
        file,
        Array.from({ length: 200 }, () => `{"level":"info","msg":"${randomBytes(150_000).toString('base64')}"}\n`).join(''),
      );
      const answer = await fetch(`${url}/api/log-viewer/logs/${day}/${kind}`, { headers: admin.headers });
      expect(answer.status).toBe(200);
      const parts = answer.body?.getReader();
      await parts?.read();
      truncateSync(file, 1000);
      const rest = async () => {
        while ((await parts?.read())?.done === false);
      };
      await expect(rest()).rejects.toThrow();
    }
  });

  it('lets two viewers read at once, one of whom searches, and gives each his own', async () => {
    writeFileSync(file, Array.from({ length: 20_000 }, (_, n) => `{"level":"${n % 2 ? 'info' : 'error'}","msg":"entry ${n}"}\n`).join(''));
    const answers = await Promise.all(
      ['query=entry%2019999', 'level=error&limit=1', 'page=400&limit=50', 'query=nowhere&wait=9'].map((query) =>
        call('GET', `log-viewer/logs/${day}?${query}`),
      ),
    );
    expect(answers.map(({ body }) => [body.pagination.total, body.data.entries[0]?.header])).toEqual([
      [1, 'entry 19999'],
      [10_000, 'entry 19998'],
      [20_000, 'entry 49'],
      [0, undefined],
    ]);
    expect(answers[3]?.body.data).not.toHaveProperty('search_stopped');
    expect(answers[0]?.body.data).not.toHaveProperty('indexing');
  });

  it('shows the newest entries of a file that takes long to read, says how far it is, and deletes it without waiting (R18)', async () => {
    // A hole takes time to read and no room.
    writeFileSync(file, '');
    truncateSync(file, 100_000_000_000);
    appendFileSync(file, Array.from({ length: 100 }, (_, n) => `\n{"level":"info","msg":"entry ${n}"}`).join(''));
    const { body } = await call('GET', `log-viewer/logs/${day}?limit=2`);
    expect(body.data.entries.map(({ id, header }: { id: number; header: string }) => [id, header])).toEqual([
      [-1, 'entry 99'],
      [-2, 'entry 98'],
    ]);
    expect(body.data).toMatchObject({ all: 100, size: '93.1 GB', indexing: { of: body.data.size_bytes } });
    expect((await call('GET', 'log-viewer/logs')).body.data).toMatchObject([
      { date: day, all: 100, indexing: { of: body.data.size_bytes } },
    ]);
    const search = await call('GET', `log-viewer/logs/${day}?query=ENTRY%207&wait=1`);
    expect(search.body.data.search_stopped.bytes).toBeLessThan(search.body.data.search_stopped.of);
    expect(search.body.pagination.total).toBe(11);
    expect((await call('DELETE', 'log-viewer/logs/delete', { date: day })).status).toBe(204);
    expect((await call('GET', `log-viewer/logs/${day}`)).status).toBe(404);
  });
});

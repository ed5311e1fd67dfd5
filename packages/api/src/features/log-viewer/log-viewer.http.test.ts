import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { day, headersOf, startLogViewer } from '../../../test/log-folders.ts';
import { sheetRows } from '../../../test/sheet-rows.ts';

const { api, admin, LOG_DIR, APP_LOG_DIR, call } = await startLogViewer();

const mixedLines = [
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
    writeFileSync(join(dir, `console-${day}.log`), mixedLines);
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
    writeFileSync(join(dir, `console-${day}.log`), mixedLines);
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
    expect(body.data).toMatchObject({ all: 4, path: `${dir.split('/').at(-1)}/console-${day}.log`, size_bytes: mixedLines.length });
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
    writeFileSync(join(dir, `console-${day}.log`), mixedLines);
    const find = async (query: string) =>
      headersOf((await call('GET', `${base}/${day}?level=odd&query=${encodeURIComponent(query)}`)).body.data.entries);
    expect(await find('SERVED')).toEqual(['Served']);
    expect(await find('/API')).toEqual(['Broken']);
    expect(await find('{main}')).toEqual(['Broken']);
    expect(await find('(a+)+$')).toEqual([]);
    expect((await call('GET', `${base}/${day}?query=${'a'.repeat(201)}`)).status).toBe(422);
  });

  it('[O42] counts what matches a search beside the figures of the day, and entries without a level under all only', async () => {
    writeFileSync(join(dir, `console-${day}.log`), `${mixedLines}2026-11-20 10:00:04 Served by hand\n`);
    const none = { emergency: 0, alert: 0, critical: 0, error: 0, warning: 0, notice: 0, info: 0, debug: 0 };
    const { body } = await call('GET', `${base}/${day}?query=served&level=info`);
    expect(body.data).toMatchObject({ ...none, all: 5, error: 2, warning: 1, info: 1, matching: { ...none, all: 2, info: 1 } });
    expect(body.data.level_statistics[0]).toEqual({ level: 'all', label: 'All', count: 5 });
    expect(body.pagination.total).toBe(1);
    const { body: whole } = await call('GET', `${base}/${day}?limit=1`);
    expect(whole.data).not.toHaveProperty('matching');
    expect(whole.data.entries).toMatchObject([{ level: '', datetime: '2026-11-20 10:00:04', header: 'Served by hand' }]);
    expect((await call('GET', base)).body.data[0]).toMatchObject({ ...none, all: 5, error: 2, warning: 1, info: 1 });
  });

  it('[O42] shows the extra of a line, and writes it behind the context into the workbook', async () => {
    writeFileSync(
      join(dir, `console-${day}.log`),
      '[2026-11-20 10:00:00] app.INFO: a {"x":1} {"y":2}\n[2026-11-20 10:00:01] app.INFO: b [] {"y":3}\n',
    );
    const { body } = await call('GET', `${base}/${day}?query=%22y%22`);
    expect(body.data.entries).toMatchObject([
      { header: 'b', context: null, extra: { y: 3 } },
      { header: 'a', context: { x: 1 }, extra: { y: 2 } },
    ]);
    const answer = await api.app.inject({ method: 'GET', url: `/api/${base}/${day}/download/`, headers: admin.headers });
    const rows = sheetRows(answer.rawPayload);
    expect(rows.slice(1).map((row) => row[4])).toEqual(['[] {"y":3}', '{"x":1} {"y":2}']);
  });

  it('[LOG-033] finds numbers as the file writes them, and writes them so into the workbook', async () => {
    writeFileSync(
      join(dir, `console-${day}.log`),
      '[2026-11-20 10:00:00] local.INFO: Order paid {"order":9007199254740993,"sum":19.90,"rate":1e400}\n' +
        '{"level":30,"time":"2026-11-20T10:00:01Z","msg":"joined","user_id":1187654321098765432,"share":0.50,"url":"https:\\/\\/x"}\n',
    );
    const find = async (text: string) =>
      headersOf((await call('GET', `${base}/${day}?query=${encodeURIComponent(text)}`)).body.data.entries);
    for (const text of ['9007199254740993', '19.90', '1e400']) expect(await find(text)).toEqual(['Order paid']);
    for (const text of ['1187654321098765432', '0.50', 'https://x', 'https:\\/\\/x']) expect(await find(text)).toEqual(['joined']);
    expect(await find('9007199254740992')).toEqual([]);
    const answer = await api.app.inject({ method: 'GET', url: `/api/${base}/${day}/download/`, headers: admin.headers });
    const rows = sheetRows(answer.rawPayload);
    expect(rows.slice(1).map((row) => row[4])).toEqual([
      String.raw`{"user_id":1187654321098765432,"share":0.50,"url":"https:\/\/x"}`,
      '{"order":9007199254740993,"sum":19.90,"rate":1e400}',
    ]);
  });

  it('[LOG-005] [LOG-017] [LOG-024] shows the files of several processes as one day, with the process of each entry', async () => {
    const line = (second: number, text: string) => `[2026-11-20 10:00:0${second}] app.${second === 2 ? 'ERROR' : 'INFO'}: ${text}\n`;
    writeFileSync(join(dir, `console-web-1-${day}.log`), line(1, 'one') + line(3, 'three'));
    writeFileSync(join(dir, `console-web-2-${day}.log`), line(2, 'two') + line(4, 'four'));
    const { body: list } = await call('GET', base);
    expect(list.data).toMatchObject([{ date: day, all: 4, error: 1, info: 3 }]);
    const { body } = await call('GET', `${base}/${day}?limit=3&details=1`);
    expect(body.data.entries.map((entry: { header: string; source: string }) => [entry.header, entry.source])).toEqual([
      ['four', 'web-2'],
      ['three', 'web-1'],
      ['two', 'web-2'],
    ]);
    expect(body.pagination).toMatchObject({ total: 4, totalPages: 2 });
    expect(body.data.format).toBe('monolog');
    expect(body.data).toMatchObject({ all: 4, path: `${dir.split('/').at(-1)}/*${day}.log`, size_bytes: 4 * line(1, 'one').length + 4 });
    expect(headersOf((await call('GET', `${base}/${day}?limit=3&page=2`)).body.data.entries)).toEqual(['one']);
    expect((await call('GET', `${base}/${day}?query=T&level=error`)).body.data).toMatchObject({ matching: { all: 2, error: 1 } });
    expect((await call('GET', `${base}/${day}/raw`)).body).toBe(
      [1, 3, 2, 4].map((n) => line(n, ['', 'one', 'two', 'three', 'four'][n] ?? '')).join(''),
    );

    const answer = await api.app.inject({ method: 'GET', url: `/api/${base}/${day}/download/?details=1`, headers: admin.headers });
    const rows = sheetRows(answer.rawPayload);
    expect(rows.map((row) => [row[3], row[6]])).toEqual([
      ['header', 'source'],
      ['four', 'web-2'],
      ['three', 'web-1'],
      ['two', 'web-2'],
      ['one', 'web-1'],
    ]);
    expect((await call('DELETE', `${base}/delete`, { date: day })).status).toBe(204);
    expect((await call('GET', base)).body.data).toEqual([]);
  });

  it('[API-071] [API-076] [AMB-069] [AMB-210] names the levels', async () => {
    const { body } = await call('GET', `${base}/levels`);
    const names = ['all', 'emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'];
    expect(body).toEqual({ success: true, data: names.map((name) => ({ name, label: name.charAt(0).toUpperCase() + name.slice(1) })) });
  });

  it('[API-072] [API-077] [AMB-068] deletes a day by body or query, the body first', async () => {
    writeFileSync(join(dir, `console-${day}.log`), mixedLines);
    expect((await call('DELETE', `${base}/delete`, {})).body.errors).toEqual({ date: ['The date field is required.'] });
    expect((await call('DELETE', `${base}/delete?date=${day}`, { date: '2026-11-21' })).status).toBe(404);
    expect((await call('DELETE', `${base}/delete`, { date: '../logs/console-2026-11-20' })).status).toBe(404);
    expect((await call('DELETE', `${base}/delete?date=${day}`, {})).status).toBe(204);
    expect((await call('GET', `${base}/${day}`)).status).toBe(404);
  });

  it('hands out the file as it is', async () => {
    writeFileSync(join(dir, `console-${day}.log`), mixedLines);
    const { headers, body } = await call('GET', `${base}/${day}/raw`);
    expect([headers['content-disposition'], body]).toEqual([`attachment; filename="${day}.log"`, mixedLines]);
  });

  it('[LOG-029] [API-070] [API-075] [AMB-211] [AMB-066] gives the workbook with and without the slash at the end', async () => {
    writeFileSync(join(dir, `console-${day}.log`), mixedLines);
    for (const path of [`${base}/${day}/download/`, `${base}/${day}/download`]) {
      const answer = await api.app.inject({ method: 'GET', url: `/api/${path}`, headers: admin.headers });
      expect(answer.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
      expect(answer.headers['content-disposition']).toBe('attachment; filename="log.xlsx"');
      const rows = sheetRows(answer.rawPayload);
      expect(rows[0]).toEqual(['env', 'level', 'time', 'header', 'context', 'stack']);
      expect(rows.map((row) => row[3])).toEqual(['header', 'Failed', 'Slow', 'Served', 'Broken']);
    }
    expect((await call('GET', `${base}/2026-01-01/download/`)).status).toBe(404);
  });
});

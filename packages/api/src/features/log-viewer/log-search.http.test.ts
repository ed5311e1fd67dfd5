import { logSearchMessages } from '@switchyard/contract/log-search';
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { listenForTest, openAnswer } from '../../../test/listening-api.ts';
import { startLogViewer } from '../../../test/log-folders.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';

const { api, admin, databases, LOG_DIR, APP_LOG_DIR } = await startLogViewer();

const today = api.now().toISOString().slice(0, 10);
const dayBefore = (days: number) => new Date(api.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);
const json = (msg: string, level = 'info') => `${JSON.stringify({ level, msg })}\n`;

async function search(path: string, headers = admin.headers) {
  const { statusCode, headers: answerHeaders, body } = await api.app.inject({ method: 'GET', url: `/api/${path}`, headers });
  const lines =
    statusCode === 200
      ? body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return {
    status: statusCode,
    headers: answerHeaders,
    failure: statusCode === 200 ? null : JSON.parse(body),
    found: lines.flatMap(({ entry }) => (entry === undefined ? [] : [[entry.date, entry.id, entry.header]])),
    end: lines.at(-1)?.end,
  };
}

describe.each([
  ['log-viewer/logs', LOG_DIR, 'log'],
  ['octopus-app/log', APP_LOG_DIR, 'app_log'],
])('the search of all days of %s', (base, dir, entity) => {
  const write = (date: string, text: string) => writeFileSync(join(dir, `app-${date}.log`), text);

  it('[LOGX-017] searches the last seven days, or those of the range, by level and text', async () => {
    for (const days of [0, 6, 7]) write(dayBefore(days), json(`one ${days}`) + json(`two ${days}`, 'error'));
    const all = await search(`${base}/search`);
    expect([all.found, all.end]).toEqual([
      [today, dayBefore(6)].flatMap((date, at) => [
        [date, 1, `two ${at * 6}`],
        [date, 0, `one ${at * 6}`],
      ]),
      { reason: 'complete', cursor: null },
    ]);
    expect([all.headers['content-type'], all.headers['x-accel-buffering']]).toEqual(['application/x-ndjson', 'no']);
    const errors = await search(`${base}/search?level=error,critical&startDate=${dayBefore(9)}&endDate=${dayBefore(1)}`);
    expect(errors.found).toEqual([6, 7].map((days) => [dayBefore(days), 1, `two ${days}`]));
    expect((await search(`${base}/search?query=TWO%206`)).found).toEqual([[dayBefore(6), 1, 'two 6']]);
    expect((await search(`${base}/search?query=${encodeURIComponent('^(one|two) 6$')}&regex=1&level=info`)).found).toEqual([
      [dayBefore(6), 0, 'one 6'],
    ]);
  });

  it('[LOGX-019] rejects expressions that RE2 does not have, with the reason', async () => {
    for (const [query, reason] of [
      ['(a', 'The regular expression is invalid: missing closing ).'],
      [String.raw`(a)\1`, 'The regular expression is invalid: invalid escape sequence.'],
      ['(?<=a)b', 'The regular expression is invalid: invalid named capture.'],
      ['(?:(?:a|b){1,30}){20}', 'The regular expression is too complex.'],
    ])
      expect((await search(`${base}/search?regex=1&query=${encodeURIComponent(query ?? '')}`)).failure).toMatchObject({
        errors: { query: [reason] },
      });
    expect((await search(`${base}/search?query=(a`)).status).toBe(200);
    const range = await search(`${base}/search?startDate=2026-11-20&endDate=2026-11-19`);
    expect([range.status, range.failure.errors]).toEqual([422, { startDate: ['The startDate must not be after endDate.'] }]);
    expect((await search(`${base}/search?level=odd&startDate=2026-02-30`)).failure.errors).toMatchObject({
      startDate: ['Invalid date string format'],
    });
  });

  it('[LOGX-015] shows and finds secrets with the parameter alone, which the trail records once for each day', async () => {
    const trail = async () =>
      (
        await databases.db.selectFrom('audit_entries').select(['action', 'entity_id']).where('entity', '=', entity).orderBy('id').execute()
      ).map(({ action, entity_id: id }) => [action, id]);
    for (const days of [0, 1]) write(dayBefore(days), json(`password=hunter${days}`));
    expect((await search(`${base}/search?query=hunter`)).found).toEqual([]);
    expect(await trail()).toEqual([]);
    for (let times = 0; times < 2; times += 1) expect((await search(`${base}/search?query=hunter&secrets=1`)).found).toHaveLength(2);
    expect(await trail()).toEqual([0, 1].map((days) => ['reveal', dayBefore(days)]));
    const weak = await signInAs(databases, { permissions: ['manager_app_edit'], since: api.now() });
    expect((await search(`${base}/search?secrets=1`, weak.headers)).status).toBe(403);
  });

  it('[LOGX-022] runs two searches of an account and four at once, and frees the slot of one whose reader leaves', async () => {
    const url = `${await listenForTest(api.app)}/api/${base}/search`;
    // A hole takes time to read and no room.
    write(today, '');
    truncateSync(join(dir, `app-${today}.log`), 50_000_000_000);
    appendFileSync(join(dir, `app-${today}.log`), `\n${json('newest')}`);
    const others = await Promise.all([1, 2].map(() => signInAs(databases, { role: 'Super Admin', since: api.now() })));
    const begin = async (headers: Record<string, string>) => {
      const answer = await openAnswer(url, headers);
      answer.resume();
      return answer;
    };
    const first = await begin(admin.headers);
    await begin(admin.headers);
    const third = await search(`${base}/search`);
    expect([third.status, third.failure.message, third.headers['retry-after']]).toEqual([429, logSearchMessages.tooMany, '5']);
    for (const _ of [1, 2]) await begin(others[0]?.headers ?? {});
    expect((await search(`${base}/search`, others[1]?.headers)).status).toBe(429);
    first.destroy();
    await vi.waitFor(async () => expect((await begin(admin.headers)).statusCode).toBe(200), soon);
  });

  it('[LOGX-022] ends without its last line soon after the session', async () => {
    const file = join(dir, `app-${today}.log`);
    write(today, '');
    truncateSync(file, 50_000_000_000);
    appendFileSync(file, `\n${json('newest')}`);
    const { headers } = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const answer = await openAnswer(`${await listenForTest(api.app)}/api/${base}/search`, headers);
    const received = { text: '', isWhole: false };
    answer.on('data', (part: Buffer) => (received.text += part.toString()));
    answer.on('end', () => (received.isWhole = true));
    expect((await api.call('GET', '/api/sanctum/logout', { headers })).status).toBeLessThan(300);
    await vi.waitFor(() => expect(received.isWhole).toBe(true), soon);
    expect(received.text).not.toContain('"end"');
  });

  it('[LOGX-020] gives the newest entries of a file that takes long to read at once', async () => {
    const file = join(dir, `app-${today}.log`);
    write(today, '');
    truncateSync(file, 50_000_000_000);
    appendFileSync(file, `\n${json('newest one')}`);
    const answer = await openAnswer(`${await listenForTest(api.app)}/api/${base}/search?query=newest`, admin.headers);
    let text = '';
    answer.on('data', (part: Buffer) => (text += part.toString()));
    await vi.waitFor(() => expect(text).toContain('"is_indexing":true'), soon);
    expect(text).toContain('"header":"newest one"');
    answer.destroy();
    await once(answer, 'close');
  });
});

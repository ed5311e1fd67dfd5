import { streamLimits } from '@switchyard/contract/limits';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { listenForTest, openAnswer } from '../../../test/listening-api.ts';
import { startLogViewer } from '../../../test/log-folders.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';

const { api, databases, LOG_DIR, APP_LOG_DIR, call } = await startLogViewer();

const day = api.now().toISOString().slice(0, 10);
const json = (msg: string, more: object = {}) => `${JSON.stringify({ level: 'info', msg, ...more })}\n`;

describe.each([
  ['log-viewer/logs', LOG_DIR, 'log'],
  ['octopus-app/log', APP_LOG_DIR, 'app_log'],
])('the stream of new entries of %s', (base, dir, entity) => {
  const file = join(dir, `app-${day}.log`);

  async function open(headers: Record<string, string>, query = '') {
    const answer = await openAnswer(`${await listenForTest(api.app)}/api/${base}/${day}/follow${query}`, headers);
    const received = { text: '', isClosed: false };
    answer.on('data', (part: Buffer) => (received.text += part.toString()));
    answer.on('close', () => (received.isClosed = true));
    await vi.waitFor(() => expect(received.text).toContain('id: '), soon);
    return received;
  }

  it('[LOGX-023] sends the filtered entries as events, whose ids resume it', async () => {
    writeFileSync(file, json('before'));
    const { headers } = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const received = await open(headers, '?level=error&query=push');
    appendFileSync(
      file,
      json('Push one', { level: 'error', id: '9007199254740993' }) + json('Push two') + json('Other', { level: 'error' }),
    );
    await vi.waitFor(() => expect(received.text).toContain('event: rows'), soon);
    const rows = /event: rows\ndata: (.*)/.exec(received.text)?.[1] ?? '';
    expect(JSON.parse(rows)).toMatchObject([{ id: 1, date: day, level: 'error', header: 'Push one' }]);
    const lastId =
      received.text
        .match(/^id: (.*)$/gm)
        ?.at(-1)
        ?.slice(4) ?? '';
    appendFileSync(file, json('Push three', { level: 'error' }));
    const resumed = await open(headers, `?level=error&query=push&lastEventId=${lastId}`);
    await vi.waitFor(() => expect(resumed.text).toContain('Push three'), soon);
    expect(resumed.text).not.toContain('Push one');
  });

  it('[LOGX-026] counts among the streams of an account: a further one ends the oldest', async () => {
    writeFileSync(file, json('before'));
    const { headers } = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const streams: Awaited<ReturnType<typeof open>>[] = [];
    for (let count = 0; count <= streamLimits.openPerAccount; count += 1) streams.push(await open(headers));
    await vi.waitFor(() => expect(streams[0]?.text).toContain('event: end\ndata: {"reason":"replaced"}'), soon);
    expect(streams.slice(1).map(({ isClosed }) => isClosed)).toEqual(streams.slice(1).map(() => false));
  });

  it('[LOGX-026] ends soon after the session, and is closed to those who may not read logs', async () => {
    writeFileSync(file, json('before'));
    const { headers } = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const received = await open(headers);
    expect((await api.call('GET', '/api/sanctum/logout', { headers })).status).toBeLessThan(300);
    await vi.waitFor(() => expect(received.text).toContain('event: end\ndata: {"status":401'), soon);
    const weak = await signInAs(databases, { permissions: ['manager_app_edit'], since: api.now() });
    expect((await api.call('GET', `/api/${base}/${day}/follow`, { headers: weak.headers })).status).toBe(403);
    expect((await call('GET', `${base}/2026-01-01/follow`)).status).toBe(404);
    writeFileSync(join(dir, 'app-2026-01-01.log'), json('old'));
    expect(await call('GET', `${base}/2026-01-01/follow`)).toMatchObject({
      status: 422,
      body: { errors: { date: ['Only today and yesterday can be followed.'] } },
    });
  });

  it('[LOGX-015] shows secrets with the parameter alone, which the trail records', async () => {
    writeFileSync(file, json('before'));
    const { headers } = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const trail = async () =>
      (await databases.db.selectFrom('audit_entries').select('action').where('entity', '=', entity).execute()).map(({ action }) => action);
    const before = await trail();
    const [hidden, shown] = [await open(headers), await open(headers, '?secrets=1')];
    expect(await trail()).toEqual([...before, 'reveal']);
    appendFileSync(file, json('Sign-in', { password: 'hunter2' }));
    await vi.waitFor(() => expect(shown.text).toContain('hunter2'), soon);
    await vi.waitFor(() => expect(hidden.text).toContain('[redacted]'), soon);
  });
});

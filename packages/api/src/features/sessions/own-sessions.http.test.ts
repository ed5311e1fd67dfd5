import { beforeEach, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { forgetSignIns } from '../../../test/google-sign-in-steps.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { signInAs } from '../../../test/sign-in-as.ts';

const database = createTestDatabase();
const startsAt = new Date('2026-11-20T08:00:00Z');
const hour = 3_600_000;
let api: TestApi;

beforeEach(async () => {
  const { databases } = await database;
  await forgetSignIns(databases);
  api = await buildTestApi({ databases, startsAt });
  return () => api.app.close();
});

/** Opens another session of an account, straight in the database. */
async function addSession(accountId: number, { since = startsAt, ip = '203.0.113.9', userAgent = 'Mozilla/5.0' } = {}): Promise<number> {
  const { id } = await api.databases.db
    .insertInto('sessions')
    .values({
      account_id: accountId,
      token_hash: Buffer.from(`${accountId}-${Math.random()}`),
      created_at: since,
      last_used_at: since,
      expires_at: new Date(since.getTime() + 12 * hour),
      ip,
      user_agent: userAgent,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const list = (headers: Record<string, string>) => api.call('GET', '/api/sanctum/sessions', { headers });
const end = (id: number | string, headers: Record<string, string>) => api.call('DELETE', `/api/sanctum/sessions/${id}`, { headers });

describe('own sessions (api [5])', () => {
  it('are listed newest first, with the current one marked', async () => {
    const olga = await signInAs(api.databases, { since: startsAt });
    const newer = await addSession(olga.accountId, { since: new Date('2026-11-20T07:59:59Z'), ip: '2001:db8::1' });
    const older = await addSession(olga.accountId, { since: new Date('2026-11-20T07:30:00Z') });
    await addSession((await signInAs(api.databases)).accountId);
    const { status, body } = await list(olga.headers);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: [
        {
          id: olga.sessionId,
          created_at: '2026-11-20 08:00:00',
          last_used_at: '2026-11-20 08:00:00',
          expires_at: '2026-11-20 20:00:00',
          ip: null,
          user_agent: null,
          current: true,
        },
        expect.objectContaining({ id: newer, created_at: '2026-11-20 07:59:59', ip: '2001:db8::1', current: false }),
        expect.objectContaining({ id: older, ip: '203.0.113.9', user_agent: 'Mozilla/5.0', current: false }),
      ],
    });
  });

  it('leave out those that expired or were idle too long', async () => {
    const olga = await signInAs(api.databases, { since: startsAt });
    await addSession(olga.accountId, { since: new Date(startsAt.getTime() - hour) });
    const { id } = await api.databases.db
      .insertInto('sessions')
      .values({ account_id: olga.accountId, token_hash: Buffer.from('expired'), last_used_at: startsAt, expires_at: startsAt })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { body } = await list(olga.headers);
    expect(body.data.map((session: { id: number }) => session.id)).toEqual([olga.sessionId]);
    expect(await end(id, olga.headers)).toMatchObject({ status: 404 });
  });

  it('need a session', async () => {
    expect(await list({})).toMatchObject({ status: 401, body: { success: false, message: 'You are not authorized' } });
    expect(await end(1, {})).toMatchObject({ status: 401 });
  });
});

describe('ending one (api [6], S6)', () => {
  it('ends it at once and audits it', async () => {
    const olga = await signInAs(api.databases, { since: startsAt, email: 'olga@example.com' });
    const other = await addSession(olga.accountId);
    expect(await end(other, olga.headers)).toMatchObject({ status: 204, body: null });
    expect((await list(olga.headers)).body.data).toHaveLength(1);
    const trail = await api.databases.db.selectFrom('audit_entries').selectAll().execute();
    expect(trail).toMatchObject([
      {
        actor_id: olga.accountId,
        action: 'end',
        entity: 'session',
        entity_id: String(other),
        entity_label: 'olga@example.com',
        changes: [],
      },
    ]);
    expect(await end(other, olga.headers)).toMatchObject({ status: 404, body: { success: false, message: 'Not found' } });
    expect(await api.databases.db.selectFrom('audit_entries').select('id').execute()).toHaveLength(1);
  });

  it('may end the current one, whose token is then worth nothing', async () => {
    const olga = await signInAs(api.databases, { since: startsAt });
    expect((await end(olga.sessionId, olga.headers)).status).toBe(204);
    expect(await list(olga.headers)).toMatchObject({ status: 401, body: { success: false, message: 'You are not authorized' } });
  });

  it("never ends somebody else's, not even for a super admin", async () => {
    const olga = await signInAs(api.databases, { since: startsAt });
    const admin = await signInAs(api.databases, { since: startsAt, role: 'Super Admin' });
    expect((await end(olga.sessionId, admin.headers)).status).toBe(404);
    expect((await list(olga.headers)).status).toBe(200);
    expect(await api.databases.db.selectFrom('audit_entries').select('id').execute()).toEqual([]);
  });

  it.each(['0', '-1', '1.5', 'abc', '9999999999', '999999999'])('knows no session %s', async (id) => {
    const { headers } = await signInAs(api.databases, { since: startsAt });
    expect((await end(id, headers)).status).toBe(404);
  });

  it('rejects unknown keys', async () => {
    const olga = await signInAs(api.databases, { since: startsAt });
    const answer = await api.call('DELETE', `/api/sanctum/sessions/${olga.sessionId}`, { headers: olga.headers, body: { all: true } });
    expect(answer).toMatchObject({ status: 422, body: { errors: { all: ['Unknown field.'] } } });
    expect((await list(olga.headers)).status).toBe(200);
  });
});

describe('ending all others ([113], S6)', () => {
  const endOthers = (headers: Record<string, string>, body?: object) => api.call('DELETE', '/api/sanctum/sessions', { headers, body });

  it('[S6] keeps the current session, ends the other ones of the account and audits each', async () => {
    const olga = await signInAs(api.databases, { since: startsAt, email: 'olga.all@example.com' });
    const bystander = await signInAs(api.databases, { since: startsAt });
    const dead = await addSession(olga.accountId, { since: new Date(startsAt.getTime() - hour) });
    const endedIds = [await addSession(olga.accountId), await addSession(olga.accountId)];
    expect(await endOthers(olga.headers)).toMatchObject({ status: 204, body: null });
    expect((await list(olga.headers)).body.data.map((session: { id: number }) => session.id)).toEqual([olga.sessionId]);
    expect((await list(bystander.headers)).status).toBe(200);
    const trail = await api.databases.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('actor_id', '=', olga.accountId)
      .orderBy('id')
      .execute();
    expect(trail.map(({ entity_id }) => entity_id)).toEqual(endedIds.map(String));
    expect(endedIds).not.toContain(dead);
    for (const entry of trail)
      expect(entry).toMatchObject({ action: 'end', entity: 'session', entity_label: 'olga.all@example.com', changes: [] });
  });

  it('[S6] answers 204 and writes nothing when there is no other', async () => {
    const olga = await signInAs(api.databases, { since: startsAt });
    expect((await endOthers(olga.headers)).status).toBe(204);
    expect((await list(olga.headers)).body.data).toHaveLength(1);
    expect(await api.databases.db.selectFrom('audit_entries').select('id').where('actor_id', '=', olga.accountId).execute()).toEqual([]);
  });

  it('[S6] leaves one session when two end each other at once', async () => {
    const one = await signInAs(api.databases, { since: startsAt });
    const { sessionId, headers } = await signInAs(api.databases, { since: startsAt });
    await api.databases.db.updateTable('sessions').set({ account_id: one.accountId }).where('id', '=', sessionId).execute();
    const answers = await Promise.all([endOthers(one.headers), endOthers(headers)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401]);
    const remainingSessions = await api.databases.db.selectFrom('sessions').select('id').where('account_id', '=', one.accountId).execute();
    expect(remainingSessions).toHaveLength(1);
  });

  it('[S6] [S12] needs a session and knows no keys', async () => {
    expect((await endOthers({})).status).toBe(401);
    const olga = await signInAs(api.databases, { since: startsAt });
    const other = await addSession(olga.accountId);
    expect(await endOthers(olga.headers, { all: true })).toMatchObject({ status: 422, body: { errors: { all: ['Unknown field.'] } } });
    expect((await list(olga.headers)).body.data.map((session: { id: number }) => session.id)).toContain(other);
  });
});

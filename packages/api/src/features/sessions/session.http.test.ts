import { seededRoles } from '@switchyard/contract/permissions';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';

let databases: Databases;
const minute = 60_000;
const refusal = { success: false, message: 'You are not authorized' };
let api: TestApi;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

beforeEach(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T08:00:00Z') });
  return () => api.app.close();
});

async function statusFor(headers: Record<string, string>): Promise<number> {
  return (await api.call('GET', '/api/sanctum/user', { headers })).status;
}

describe('life of a session (api 0.15)', () => {
  it('[AUTH-028] [API-085] [AMB-008] ends after twelve hours, however much it is used', async () => {
    const person = await signInAs(api.databases, { since: api.now() });
    for (let i = 0; i < 23; i++) {
      api.wait(30 * minute);
      expect(await statusFor(person.headers)).toBe(200);
    }
    api.wait(30 * minute - 1);
    expect(await statusFor(person.headers)).toBe(200);
    api.wait(1);
    const answer = await api.call('GET', '/api/sanctum/user', { headers: person.headers });
    expect([answer.status, answer.body, answer.headers['www-authenticate']]).toEqual([401, refusal, 'Bearer']);
  });

  it('[API-085] ends after an hour without a call', async () => {
    const person = await signInAs(api.databases, { since: api.now() });
    api.wait(60 * minute - 1);
    expect(await statusFor(person.headers)).toBe(200);
    api.wait(60 * minute);
    expect(await statusFor(person.headers)).toBe(401);
  });

  it('[API-085] both limits are settings', async () => {
    const short = await buildTestApi({ databases: api.databases, env: { SESSION_IDLE_MINUTES: '1' }, startsAt: api.now() });
    const person = await signInAs(api.databases, { since: short.now() });
    const status = async () => (await short.call('GET', '/api/time', { headers: person.headers })).status;
    for (let i = 0; i < 10; i++) {
      short.wait(50_000);
      expect(await status()).toBe(200);
    }
    short.wait(60_000);
    expect(await status()).toBe(401);
    await short.app.close();
  });

  it('[R15] goes on where the storage is full and the time of its use cannot be written', async () => {
    const person = await signInAs(api.databases, { since: api.now() });
    await databases.pools.ops.query(`create function refuse_use() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100'; end $$`);
    await databases.pools.ops.query('create trigger refuse_use before update on sessions for each row execute function refuse_use()');
    try {
      api.wait(2 * minute);
      expect(await statusFor(person.headers)).toBe(200);
      api.wait(60 * minute);
      expect(await statusFor(person.headers)).toBe(401);
    } finally {
      await databases.pools.ops.query('drop function refuse_use cascade');
    }
  });

  it('[API-085] writes the time of use down at most once a minute', async () => {
    const person = await signInAs(api.databases, { since: api.now() });
    const lastUsed = async () => {
      const row = await api.databases.db
        .selectFrom('sessions')
        .select('last_used_at')
        .where('id', '=', person.sessionId)
        .executeTakeFirstOrThrow();
      return row.last_used_at.toISOString();
    };
    api.wait(minute - 1);
    await statusFor(person.headers);
    expect(await lastUsed()).toBe('2026-11-20T08:00:00.000Z');
    api.wait(1);
    await statusFor(person.headers);
    expect(await lastUsed()).toBe('2026-11-20T08:01:00.000Z');
  });

  it.each(['GET', 'POST'] as const)('[AUTH-056] [API-007] %s sanctum/logout ends it at once and leaves a trace', async (method) => {
    const person = await signInAs(api.databases, { since: api.now() });
    const other = await signInAs(api.databases, { since: api.now() });
    const answer = await api.call(method, '/api/sanctum/logout', { headers: { ...person.headers, 'x-request-id': `logout-${method}` } });
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect((await api.call(method, '/api/sanctum/logout', { headers: person.headers })).status).toBe(401);
    expect(await statusFor(person.headers)).toBe(401);
    expect(await statusFor(other.headers)).toBe(200);
    const entry = await api.databases.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('actor_id', '=', person.accountId)
      .executeTakeFirst();
    expect(entry).toMatchObject({
      action: 'logout',
      entity: 'session',
      entity_id: String(person.sessionId),
      request_id: `logout-${method}`,
    });
  });

  it('[API-085] [S6] ends with the access or the account, though its row is left', async () => {
    const deniedPerson = await signInAs(api.databases, { since: api.now() });
    const deletedPerson = await signInAs(api.databases, { since: api.now() });
    expect([await statusFor(deniedPerson.headers), await statusFor(deletedPerson.headers)]).toEqual([200, 200]);
    await api.databases.db.updateTable('accounts').set({ has_access: false }).where('id', '=', deniedPerson.accountId).execute();
    await api.databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', deletedPerson.accountId).execute();
    expect([await statusFor(deniedPerson.headers), await statusFor(deletedPerson.headers)]).toEqual([401, 401]);
  });

  it('[API-085] dead sessions are forgotten, living ones kept', async () => {
    const old = await signInAs(api.databases, { since: api.now() });
    api.wait(59 * minute);
    const young = await signInAs(api.databases, { since: api.now() });
    api.wait(minute);
    await api.maintain();
    const keptSessions = await api.databases.db
      .selectFrom('sessions')
      .select('id')
      .where('id', 'in', [old.sessionId, young.sessionId])
      .execute();
    expect(keptSessions).toEqual([{ id: young.sessionId }]);
  });
});

describe('what a caller may do is read afresh', () => {
  it('[AUTH-069] [PERM-002] permissions are the union over the roles, without duplicates, in id order', async () => {
    const person = await signInAs(api.databases, { role: 'Log Reviewer', since: api.now() });
    const second = await signInAs(api.databases, { permissions: ['manager_dev_docs', 'manager_app_edit', 'manager_app_create'] });
    const { role_id } = await api.databases.db
      .selectFrom('account_roles')
      .select('role_id')
      .where('account_id', '=', second.accountId)
      .executeTakeFirstOrThrow();
    await api.databases.db.insertInto('account_roles').values({ account_id: person.accountId, role_id, panel: 'user' }).execute();
    const { body } = await api.call('GET', '/api/sanctum/user', { headers: person.headers });
    expect(body.data.permissions).toEqual([
      'manager_app_view_all',
      'manager_app_create',
      'manager_app_edit',
      'manager_app_requests',
      'manager_app_pushes',
      'manager_app_conversions',
      'manager_dev_docs',
      'manager_app_all_requests',
    ]);
    expect(body.data.badges).toEqual(['T', 'R']);
    await api.databases.db.deleteFrom('role_permissions').where('role_id', '=', role_id).execute();
    const after = await api.call('GET', '/api/sanctum/user', { headers: person.headers });
    expect(after.body.data.permissions).not.toContain('manager_dev_docs');
  });

  it('[PERM-052] a super admin is known as one', async () => {
    const admin = await signInAs(api.databases, { role: 'Super Admin', since: api.now() });
    const { body } = await api.call('GET', '/api/sanctum/user', { headers: admin.headers });
    expect([body.data.isSuperAdmin, body.data.permissions.length]).toEqual([true, seededRoles[0]?.permissions.length]);
    const restrictedAdmin = await signInAs(api.databases, { role: 'Admin', apps: [], since: api.now() });
    const other = await api.call('GET', '/api/sanctum/user', { headers: restrictedAdmin.headers });
    expect([other.body.data.isSuperAdmin, other.body.data.hasAllApps]).toEqual([false, false]);
  });
});

describe('tokens (S6, S32)', () => {
  it('[API-085] only a bearer header counts, and a token of a traffic server is no account', async () => {
    const person = await signInAs(api.databases, { since: api.now() });
    const server = await signInAsServer(api.databases);
    expect(await statusFor({ authorization: `bearer ${person.token}` })).toBe(200);
    for (const authorization of [
      person.token,
      `Basic ${person.token}`,
      `Bearer ${person.token}x`,
      'Bearer',
      'Bearer ',
      `Bearer ${server.token}`,
    ]) {
      expect([authorization, await statusFor({ authorization })]).toEqual([authorization, 401]);
    }
    expect((await api.call('GET', `/api/sanctum/user?token=${person.token}`)).status).toBe(401);
    expect((await api.call('GET', '/api/sanctum/user', { headers: { cookie: `token=${person.token}` } })).status).toBe(401);
  });
});

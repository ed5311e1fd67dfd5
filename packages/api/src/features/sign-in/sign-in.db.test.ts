import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/test-database.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { createPasswordHash, type PasswordHash } from '../../adapters/password-hash.ts';
import type { Databases } from '../../database/connect.ts';
import { unavailable } from '../../errors.ts';
import type { RequestContext } from '../../http/bind.ts';
import { ensureFirstAdmin } from './first-admin-commands.ts';
import { createSignInLimits } from './sign-in-limits-lookup.ts';
import { signIn, type SignInDependencies } from './sign-in-commands.ts';

const request: RequestContext = { requestId: 'test-request', ip: '203.0.113.9', userAgent: null, guardWrite: null };
let databases: Databases;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

/** Sign-in whose password check is replaced; everything else is real. */
function depsWith(passwords: Pick<PasswordHash, 'matches'>): SignInDependencies {
  const { db } = databases;
  const now = () => new Date();
  const limits = createSignInLimits({ db, now });
  return {
    db,
    now,
    limits,
    passwords,
    notifyOwner: async () => undefined,
    sessionHours: 12,
    idleMinutes: 60,
    demoIsOn: false,
    findCaller: async () => null,
  };
}

describe('the work of a failed sign-in', () => {
  it('[AUTH-001] is one password check and the same statements, whether the e-mail is known or not', async () => {
    await signInAs(databases, { email: 'known@example.com', passwordHash: 'stored' });
    await signInAs(databases, { email: 'passwordless@example.com', passwordHash: null });
    const work: string[] = [];
    const count = async (email: string) => {
      const checks: (string | null)[] = [];
      const before = await statements();
      const deps = depsWith({
        matches: async (_password, passwordHash) => {
          checks.push(passwordHash);
          return false;
        },
      });
      await expect(signIn(deps, { email, password: 'wrong' }, request)).rejects.toThrow('Invalid e-mail or password');
      work.push(`${checks.length} checks, ${(await statements()) - before} transactions`);
      return checks;
    };
    expect(await count('known@example.com')).toEqual(['stored']);
    expect(await count('unknown@example.com')).toEqual([null]);
    expect(await count('passwordless@example.com')).toEqual([null]);
    expect(new Set(work).size).toBe(1);
  });

  it('[AUTH-001] does not count an attempt whose password could not be checked', async () => {
    const busy = depsWith({ matches: () => Promise.reject(unavailable('The server is busy, try again')) });
    for (let i = 0; i < 20; i++) {
      await expect(signIn(busy, { email: 'busy@example.com', password: 'x' }, request)).rejects.toMatchObject({ status: 503 });
    }
  });

  it('[AUTH-001] a password changed, or access denied, while it was checked opens no session', async () => {
    const { accountId } = await signInAs(databases, { email: 'changing@example.com', passwordHash: 'old' });
    const deps = depsWith({
      matches: async () => {
        await databases.db.updateTable('accounts').set({ password_hash: 'new' }).where('id', '=', accountId).execute();
        return true;
      },
    });
    await expect(signIn(deps, { email: 'changing@example.com', password: 'x' }, request)).rejects.toThrow('Invalid e-mail or password');
    const sessions = await databases.db.selectFrom('sessions').select('id').where('account_id', '=', accountId).execute();
    expect(sessions).toHaveLength(1);
  });
});

/** Rows written to the two tables that a failed sign-in writes to. */
async function statements(): Promise<number> {
  const { rows } = await databases.pools.ops.query<{ count: number }>(
    `select (select coalesce(sum(attempts), 0) from sign_in_attempts) + (select count(*) from audit_entries) as count`,
  );
  return Number(rows[0]?.count);
}

describe('first admin (O7)', () => {
  const passwords = createPasswordHash();

  beforeEach(async () => {
    await databases.pools.ops.query('truncate accounts restart identity cascade');
  });

  it('[PERM-052, AMB-025] is a super admin with access to all apps, made once however many processes start', async () => {
    const make = () => ensureFirstAdmin({ db: databases.db, passwords, email: ' Root@Example.com', password: null });
    const firstAdmins = (await Promise.all([make(), make(), make()])).filter((admin) => admin !== null);
    expect(firstAdmins).toHaveLength(1);
    expect(firstAdmins[0]).toEqual({ email: 'root@example.com', password: expect.stringMatching(/^[A-Za-z2-9]{23}$/) });
    const { rows } = await databases.pools.ops.query(
      'select accounts.panel, email, all_apps, has_access, role_id from accounts join account_roles on account_id = id',
    );
    expect(rows).toEqual([{ panel: 'user', email: 'root@example.com', all_apps: true, has_access: true, role_id: 1 }]);
    const account = await databases.db.selectFrom('accounts').select('password_hash').executeTakeFirstOrThrow();
    expect(await passwords.matches(firstAdmins[0]?.password ?? '', account.password_hash)).toBe(true);
    expect(await make()).toBeNull();
  });

  it('[PERM-052] has the given password, which is not repeated', async () => {
    const admin = { db: databases.db, passwords, email: 'root@example.com', password: 'Long-Enough-1' };
    expect(await ensureFirstAdmin(admin)).toEqual({ email: 'root@example.com', password: null });
  });

  it('[PERM-052] is not made again after every account was deleted', async () => {
    const admin = { db: databases.db, passwords, email: 'root@example.com', password: null };
    await ensureFirstAdmin(admin);
    await databases.db.updateTable('accounts').set({ deleted_at: new Date() }).execute();
    expect(await ensureFirstAdmin(admin)).toBeNull();
  });

  it('[O35] is made when the database holds accounts of the demo only, even after a real one was deleted', async () => {
    const admin = { db: databases.db, passwords, email: 'root@example.com', password: null };
    await signInAs(databases, { role: 'Super Admin', isDemo: true });
    const { accountId } = await signInAs(databases, { role: 'Super Admin' });
    expect(await ensureFirstAdmin(admin)).toBeNull();
    await databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', accountId).execute();
    expect(await ensureFirstAdmin(admin)).toMatchObject({ email: 'root@example.com' });
    expect(await ensureFirstAdmin(admin)).toBeNull();
  });
});

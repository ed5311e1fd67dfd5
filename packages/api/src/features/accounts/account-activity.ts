import type { AccountSessions, EffectivePermission } from '@switchyard/contract/account-activity';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller } from '../../http/bind.ts';
import { listLiveSessions } from '../session/live-sessions-lookup.ts';
import { findAccount, type StoredAccount } from './accounts-read-model.ts';
import { findLastActivity } from './activity-read-model.ts';

/** Where an account of either panel is signed in, and when it did anything last. Refuses unknown and deleted ones with 404. */
export async function listAccountSessions(
  { db, now, idleMinutes }: { db: Databases['db']; now: () => Date; idleMinutes: number },
  { id, caller }: { id: number; caller: AccountCaller },
): Promise<AccountSessions> {
  await existing(db, id);
  const moment = now();
  const idleSince = new Date(moment.getTime() - idleMinutes * 60_000);
  const sessions = await listLiveSessions(db, { accountId: id, sessionId: caller.sessionId, now: moment, idleSince });
  return { last_active_at: await findLastActivity(db, id), sessions };
}

/** What an account of either panel may do, by permission id, and the labels of the roles each permission comes from. */
export async function listAccountPermissions({ db }: { db: Databases['db'] }, id: number): Promise<EffectivePermission[]> {
  const { roles } = await existing(db, id);
  return permissionCatalogue.flatMap(({ id: permissionId, label, description }) => {
    const from = roles.filter((role) => role.permissionIds.includes(permissionId)).map((role) => role.label);
    return from.length === 0 ? [] : [{ id: permissionId, label, description, roles: from }];
  });
}

async function existing(db: Databases['db'], id: number): Promise<StoredAccount> {
  const stored = await findAccount(db, { id });
  if (!stored) throw notFound();
  return stored;
}

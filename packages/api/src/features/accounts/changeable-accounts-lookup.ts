import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { unauthorized } from '../../errors.ts';
import type { SessionCaller } from '../../http/bind.ts';
import { sessionDenial } from './access-rules-lookup.ts';
import { standingOf, stateOf, writerOf } from './account-mapper.ts';
import { listAccounts, listRoles, type StoredAccount } from './accounts-store.ts';

/** The accounts of both panels whose sessions, tokens, factors and schedules the caller may end: those that do not rank above the caller. */
export async function listChangeableAccounts(db: Kysely<Tables>, { account }: Pick<SessionCaller, 'account'>): Promise<StoredAccount[]> {
  const accounts = await listAccounts(db);
  const self = accounts.find(({ id }) => id === account.id);
  if (!self) throw unauthorized();
  const writer = writerOf(self);
  const roles = { user: await listRoles(db, 'user'), buyer: await listRoles(db, 'buyer') };
  return accounts.filter((one) => sessionDenial(writer, standingOf(stateOf(one), { panel: one.panel, roles: roles[one.panel] })) === null);
}

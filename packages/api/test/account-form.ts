import { randomBytes } from 'node:crypto';
import type { Databases } from '../src/database/connect.ts';

/** Keeps the rule for passwords and is not a common one. */
export const testPassword = 'Str0ngPassw0rd';

/** A form that creates a staff account, or with the role of a buyer a buyer: only what must be there, named at random. */
export function newAccountForm(fields: Readonly<Record<string, unknown>> = {}) {
  const tag = randomBytes(5).toString('hex');
  return { name: `Person ${tag}`, email: `${tag}@example.com`, password: testPassword, roles: ['App Manager'], ...fields };
}

/** Entries of the trail about an account, oldest first. */
export async function trailOfAccount({ db }: Pick<Databases, 'db'>, id: number) {
  return db
    .selectFrom('audit_entries')
    .select(['action', 'entity', 'actor_id', 'entity_label', 'changes'])
    .where('entity', 'in', ['user', 'buyer'])
    .where('entity_id', '=', String(id))
    .orderBy('id')
    .execute();
}

/** Everything stored about an account that a write could change, to compare before and after a rejected one. */
export async function storedAccount({ db }: Pick<Databases, 'db'>, id: number) {
  return {
    row: await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    roles: await db.selectFrom('account_roles').select('role_id').where('account_id', '=', id).orderBy('role_id').execute(),
    apps: await db.selectFrom('app_accounts').select('app_id').where('account_id', '=', id).orderBy('app_id').execute(),
    buyerApps: await db.selectFrom('app_buyers').select('app_id').where('account_id', '=', id).orderBy('app_id').execute(),
    sessions: await db.selectFrom('sessions').select('id').where('account_id', '=', id).orderBy('id').execute(),
  };
}

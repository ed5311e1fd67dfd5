import { permissionCatalogue, seededRoles, type Panel, type Permission } from '@switchyard/contract/permissions';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Databases } from '../src/database/connect.ts';
import { newTokenSecret } from '../src/features/api-tokens/token-secret.ts';

export type Account = {
  /** Name of a seeded role, e.g. `Super Admin`; or give permissions. */
  role?: string;
  /** Permissions of a role made for this account; none by default. */
  permissions?: readonly Permission[];
  /** Whether that role demands a second factor. */
  needsFactor?: boolean;
  /** 'all', or the ids of the apps the account may see. */
  apps?: 'all' | readonly number[];
  panel?: Panel;
  email?: string;
  /** PHC text; null: the account cannot sign in with a password. */
  passwordHash?: string | null;
  hasAccess?: boolean;
  /** Whether the demo made it. */
  isDemo?: boolean;
  /** When the session was opened, and how long it lives in milliseconds. */
  since?: Date;
  lifetime?: number;
};

export type SignedIn = { headers: { authorization: string }; token: string; accountId: number; email: string; sessionId: number };

let count = 0;

/** Creates an account as described and a session of it, straight in the database. */
export async function signInAs({ db }: Pick<Databases, 'db'>, account: Account = {}): Promise<SignedIn> {
  count += 1;
  // Digits only: letters would make a word now and then that a search finds by its typos.
  const tag = `${count}-${randomInt(2 ** 47)}`;
  const { panel = 'user', apps = 'all', since = new Date(), lifetime = 12 * 3_600_000 } = account;
  const email = account.email ?? `person-${tag}@example.com`;
  const { id: accountId } = await db
    .insertInto('accounts')
    .values({
      panel,
      name: `Person ${tag}`,
      email,
      password_hash: account.passwordHash ?? null,
      has_access: account.hasAccess ?? true,
      is_demo: account.isDemo ?? false,
      all_apps: apps === 'all' && panel === 'user',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const roleId = await roleOf(db, { ...account, panel, tag });
  await db.insertInto('account_roles').values({ account_id: accountId, role_id: roleId, panel }).execute();
  if (apps !== 'all' && apps.length > 0) {
    const table = panel === 'user' ? 'app_accounts' : 'app_buyers';
    const rows = apps.map((app) => ({ account_id: accountId, app_id: app }));
    await db.insertInto(table).values(rows).execute();
  }
  const token = `swy_${randomBytes(32).toString('base64url')}`;
  const { id: sessionId } = await db
    .insertInto('sessions')
    .values({
      account_id: accountId,
      token_hash: createHash('sha256').update(token).digest(),
      created_at: since,
      last_used_at: since,
      authenticated_at: since,
      expires_at: new Date(since.getTime() + lifetime),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { headers: { authorization: `Bearer ${token}` }, token, accountId, email, sessionId };
}

async function roleOf(
  db: Databases['db'],
  {
    role,
    permissions = [],
    needsFactor = false,
    panel,
    tag,
  }: Pick<Account, 'role' | 'permissions' | 'needsFactor'> & { panel: Panel; tag: string },
): Promise<number> {
  if (role !== undefined) {
    const seededRole = seededRoles.find((candidate) => candidate.name === role);
    if (!seededRole) throw new Error(`There is no role ${role}`);
    return seededRole.id;
  }
  const { id } = await db
    .insertInto('roles')
    .values({ panel, name: `Role ${tag}`, label: `Role ${tag}`, badge: 'R', requires_second_factor: needsFactor })
    .returning('id')
    .executeTakeFirstOrThrow();
  const ids = permissionCatalogue.filter((permission) => permissions.includes(permission.label)).map((permission) => permission.id);
  if (ids.length > 0)
    await db
      .insertInto('role_permissions')
      .values(ids.map((permission_id) => ({ role_id: id, permission_id })))
      .execute();
  return id;
}

export type TokenFields = {
  ownerId: number;
  kind?: 'personal' | 'service';
  /** All of staff by default. */
  permissions?: readonly Permission[];
  apps?: 'all' | readonly number[];
  networks?: readonly string[];
  expiresAt?: Date | null;
};

/** Creates an API token straight in the database, and the header that shows it. */
export async function makeApiToken({ db }: Pick<Databases, 'db'>, fields: TokenFields) {
  count += 1;
  const { ownerId, kind = 'personal', permissions, apps = 'all', networks = [], expiresAt = new Date('2100-01-01') } = fields;
  const { secret, hashed } = newTokenSecret();
  const ids = permissionCatalogue.filter(({ label, panel }) => (permissions ? permissions.includes(label) : panel === 'user'));
  const { id: tokenId } = await db
    .insertInto('api_tokens')
    .values({
      ...hashed,
      kind,
      owner_id: ownerId,
      name: `Token ${count}`,
      permission_ids: ids.map(({ id }) => id),
      all_apps: apps === 'all',
      app_ids: apps === 'all' ? [] : [...apps],
      networks: [...networks],
      expires_at: expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { headers: { authorization: `Bearer ${secret}` }, token: secret, tokenId, name: `Token ${count}` };
}

/** Creates a traffic server that may deliver, and the header that shows its token. */
export async function signInAsServer(
  { db }: Pick<Databases, 'db'>,
  {
    token = randomBytes(24).toString('base64url'),
    ingestEnabled = true,
    deletedAt = null,
    name = `edge-${token.slice(0, 6)}`,
    ip = null,
  }: { token?: string; ingestEnabled?: boolean; deletedAt?: Date | null; name?: string; ip?: string | null } = {},
): Promise<{ headers: { authorization: string }; token: string; serverId: number }> {
  const { id } = await db
    .insertInto('traffic_servers')
    .values({
      name,
      ip,
      url: 'https://edge.example',
      token_hash: createHash('sha256').update(token).digest(),
      ingest_enabled: ingestEnabled,
      deleted_at: deletedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { headers: { authorization: `Bearer ${token}` }, token, serverId: id };
}

import { productVersion } from '@switchyard/contract/limits';
import { permissionCatalogue, permissionId, seededRoles } from '@switchyard/contract/permissions';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Migration } from 'kysely/migration';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { afterFile } from '../../test/after-file.ts';
import { countRows } from '../../test/count-rows.ts';
import { createTestDatabase, databaseUrl, timeoutFactor } from '../../test/test-database.ts';
import { type Databases, openDatabases } from './connect.ts';
import { isMigrated } from './migrate.ts';
import { migrations } from './all-migrations.ts';
import { prepareDatabase, reconcilePermissions } from './prepare-database.ts';

/**
 * For each released version its public schema with rows in every table, written by that version itself on PostgreSQL 15: its demo,
 * a few events, pushes, conversions, sign-ins and bans. Secrets are sealed with the key `0123456789abcdef0123456789abcdef0123`.
 * `npm run release:dump` writes the next one.
 */
const folder = join(import.meta.dirname, '../../test/databases');
const releasedVersions = readdirSync(folder).flatMap((name) => /^switchyard-(\S+)\.sql\.gz$/.exec(name)?.[1] ?? []);

/** Event partitions follow the calendar, so their number and names say nothing of the schema. */
const noPartition = `c.relname !~ '^events_\\d{8}'`;
const schemaQueries = {
  columns: `select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required, a.attidentity as identity,
      pg_get_expr(d.adbin, d.adrelid) as "default"
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and ${noPartition} order by 1, 2`,
  // PostgreSQL 18 lists "not null" among the constraints, older versions do not. The columns above contain it anyway.
  constraints: `select c.relname as "table", pg_get_constraintdef(o.oid) as definition from pg_constraint o join pg_class c on c.oid = o.conrelid
    where c.relnamespace = 'public'::regnamespace and o.contype <> 'n' and ${noPartition} order by 1, 2`,
  indexes: `select tablename, indexdef from pg_indexes c where schemaname = 'public' and tablename !~ '^events_\\d{8}' order by 1, 2`,
  // Parsing a dumped condition again nests its parentheses less.
  triggers: `select c.relname as "table", translate(pg_get_triggerdef(t.oid), '()', '') as definition from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal order by 1, 2`,
  functions: `select p.proname as name, pg_get_functiondef(p.oid) as definition from pg_proc p where p.pronamespace = 'public'::regnamespace order by 1, 2`,
} as const;

const roleQuery = `select r.id, r.panel, r.name, r.label, r.badge, r.is_system, array(select permission_id::integer from role_permissions where role_id = r.id order by 1) as permissions
  from roles r where is_system order by r.id`;

describe.each(releasedVersions)('upgrade from %s', (version) => {
  let fresh: Databases;
  let upgradedDatabases: Databases;
  let before: Record<string, number>;
  let ownMigrations: Readonly<Record<string, Migration>>;
  /** The permissions that default roles get and the dump does not know, by role. */
  let laterGrants: string[][];

  beforeAll(async () => {
    fresh = (await createTestDatabase()).databases;
    const serverUrl = inject('postgresUrl');
    const name = `upgrade_${randomBytes(6).toString('hex')}`;
    await fresh.pools.ops.query(`create database ${name}`);
    const url = databaseUrl(serverUrl, name);
    const loading = openDatabases({ url, onError: () => undefined, timeoutFactor });
    await loading.pools.ops.query(gunzipSync(await readFile(join(folder, `switchyard-${version}.sql.gz`))).toString());
    await loading.close();
    // The dump leaves its connection with an empty search path.
    upgradedDatabases = openDatabases({ url, onError: () => undefined, timeoutFactor });
    before = await countRows(upgradedDatabases.pools.ops);
    const { rows } = await upgradedDatabases.pools.ops.query<{ name: string }>('select name from kysely_migration');
    ownMigrations = Object.fromEntries(Object.entries(migrations).filter(([migration]) => rows.some((row) => row.name === migration)));
    // Their ids go up. 1.2.14 has no such table: its 29 permissions are part of a migration.
    const knownId = before['known_permissions'] ?? 29;
    laterGrants = seededRoles
      .map(({ permissions }) => permissions.filter((label) => permissionId(label) > knownId))
      .filter((labels) => labels.length > 0);
    await prepareDatabase(upgradedDatabases.opsDb);
    afterFile(async () => {
      await upgradedDatabases.close();
      await fresh.pools.ops.query(`drop database ${name} with (force)`);
    });
  });

  it('[R14] starts from a dump with rows in every table', () => {
    expect(Object.entries(before).filter(([, rows]) => rows === 0)).toEqual([]);
    expect(Object.keys(before).length).toBeGreaterThan(35);
  });

  it('[R14, O43] starts from a dump with every migration, if it is that of this version', () => {
    const isRelease = version === productVersion;
    expect(Object.keys(migrations).filter((name) => isRelease && !(name in ownMigrations))).toEqual([]);
  });

  it.each(Object.entries(schemaQueries))('[R14] gives the %s of a new database', async (_name, query) => {
    const [expected, foundRows] = await Promise.all([fresh.pools.ops.query(query), upgradedDatabases.pools.ops.query(query)]);
    expect(foundRows.rows.length).toBeGreaterThan(0);
    expect(foundRows.rows).toEqual(expected.rows);
  });

  it('[R14] runs every migration once and keeps every row', async () => {
    const { rows } = await upgradedDatabases.pools.ops.query<{ name: string }>('select name from kysely_migration order by name');
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations));
    expect(await prepareDatabase(upgradedDatabases.opsDb)).toEqual([]);
    const after = await countRows(upgradedDatabases.pools.ops);
    // The offset of the days is remembered for events and for deliveries since.
    expect(after).toMatchObject({
      ...before,
      traffic_calendar: 2,
      known_permissions: permissionCatalogue.length,
      role_permissions: (before['role_permissions'] ?? 0) + laterGrants.flat().length,
      audit_entries: (before['audit_entries'] ?? 0) + laterGrants.length,
    });
  });

  it('[R28] lets consoles of that version go on beside those of this one, except 1.2.14', async () => {
    expect(await isMigrated(upgradedDatabases.pools.ops, ownMigrations)).toBe(version !== '1.2.14');
  });

  it('[PERM-001] gives the default roles and permissions of a new database', async () => {
    const [expected, foundRows] = await Promise.all([fresh.pools.ops.query(roleQuery), upgradedDatabases.pools.ops.query(roleQuery)]);
    expect(foundRows.rows).toEqual(expected.rows);
  });

  it('[R14] keeps counts that add up to its events, except in 1.3.0, whose counts were cut', async () => {
    const { rows } = await upgradedDatabases.pools.ops.query(
      `select (select count(*) from events) = (select sum(requests) from traffic_days) as "addUp"`,
    );
    expect(rows).toEqual([{ addUp: version !== '1.3.0' }]);
  });

  it('[CONV-114] counts its conversions by kind afterwards', async () => {
    const { pools } = upgradedDatabases;
    const { deliveries } = createTrafficStore({ pools, serverOffset: '+00:00', retentionDays: 90 });
    while (await deliveries.updateKindCounts());
    const keys = 'app_id, stream_uid, status_conversion, status';
    const { rows } = await pools.ops.query(`select ${keys}, sum(stored)::integer as n, sum(payout)::float as payout
      from conversion_kind_days group by ${keys} order by ${keys}`);
    const direct = await pools.ops.query(`select ${keys}, count(*)::integer as n, coalesce(sum(payout), 0)::float as payout
      from (select app_id, coalesce(stream_uid, '') as stream_uid, status_conversion, status, payout from conversions) as kept
      group by ${keys} order by ${keys}`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(direct.rows);
  });
});

describe('reconciling permissions', () => {
  const addedPermission = { id: 900, label: 'manager_test_added', roleIds: [1, 2] };
  const permissionsOf = async ({ pools }: Databases, role: number): Promise<number[]> => {
    const { rows } = await pools.ops.query<{ id: number }>(
      'select permission_id::integer as id from role_permissions where role_id = $1 order by 1',
      [role],
    );
    return rows.map(({ id }) => id);
  };

  it('[PERM-001] grants an added permission to its default roles once, and audits it', async () => {
    const { databases } = await createTestDatabase();
    await Promise.all([
      reconcilePermissions(databases.opsDb, [addedPermission]),
      reconcilePermissions(databases.jobsDb, [addedPermission]),
    ]);
    expect(await permissionsOf(databases, 1)).toContain(addedPermission.id);
    expect(await permissionsOf(databases, 2)).toContain(addedPermission.id);
    expect(await permissionsOf(databases, 3)).not.toContain(addedPermission.id);
    const { rows } = await databases.pools.ops.query(
      `select entity_id, action, actor_id from audit_entries where changes -> 0 -> 'to' @> to_jsonb($1::integer) order by id`,
      [addedPermission.id],
    );
    expect(rows).toEqual([
      { entity_id: '1', action: 'update', actor_id: null },
      { entity_id: '2', action: 'update', actor_id: null },
    ]);
  });

  it('[PERM-001] leaves alone what an administrator took from a default role', async () => {
    const { databases } = await createTestDatabase();
    await reconcilePermissions(databases.opsDb, [addedPermission]);
    await databases.pools.ops.query('delete from role_permissions where role_id = 2 and permission_id = any ($1)', [
      [addedPermission.id, 3],
    ]);
    await reconcilePermissions(databases.opsDb, [addedPermission]);
    expect(await permissionsOf(databases, 2)).not.toContain(addedPermission.id);
    expect(await permissionsOf(databases, 2)).not.toContain(3);
  });
});

import { uniqueAppFields, type UniqueAppField } from '@switchyard/contract/app-rules';
import type { PickedApp, PickedBuyer } from '@switchyard/contract/pick-lists';
import { sql, type Kysely, type Selectable, type SqlBool } from 'kysely';
import type { AppsTable, Tables } from '../../database/tables.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';
import { listCheckDomains, type ListedCheckDomain } from '../app-domains/links-lookup.ts';
import { listBuyers } from '../buyers/buyers-lookup.ts';
import { appLabel } from './app-row-mapper.ts';

/** An app as it is stored, with its buyers and its links to traffic servers. */
export type StoredApp = { row: Omit<Selectable<AppsTable>, 'push_file_sealed'>; buyers: PickedBuyer[]; checkDomains: ListedCheckDomain[] };

/** The app with what belongs to it; undefined when it does not exist or lies outside the scope (api 0.11). */
export async function findApp(db: Kysely<Tables>, id: number, scope: AppScope): Promise<StoredApp | undefined> {
  const found = await db
    .selectFrom('apps')
    .selectAll()
    .where('id', '=', id)
    .where(scope === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`id = any(${scope}::int[])`)
    .executeTakeFirst();
  if (!found) return undefined;
  const { push_file_sealed: _sealed, ...row } = found;
  return { row, buyers: await listBuyers(db, { appId: id }), checkDomains: await listCheckDomains(db, [id]) };
}

/** The very expressions of the unique indexes. */
const comparable = {
  name: sql`lower(trim(name))`,
  bundle: sql`lower(bundle)`,
  domain: sql`lower(domain)`,
} as const satisfies Record<UniqueAppField, unknown>;

/** Whether any other app, archived or not, has this value but for case and spaces around it (AMB-091). */
export async function isTaken(
  db: Kysely<Tables>,
  asked: { field: UniqueAppField; value: string; exceptId?: number | undefined },
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (
      select from apps where ${comparable[asked.field]} = lower(${asked.value.trim()}) and id <> ${asked.exceptId ?? 0}::bigint
    ) as taken
  `.execute(db);
  return rows[0]?.taken === true;
}

/** The field that a unique index of the apps guards. */
export function fieldOfIndex(index: string | null): UniqueAppField | undefined {
  return uniqueAppFields.find((field) => index === `apps_${field}_key`);
}

/** Active apps in the scope, by name whatever its case (api [22]). */
export async function listAppsToPick(db: Kysely<Tables>, scope: AppScope): Promise<PickedApp[]> {
  const rows = await db
    .selectFrom('apps')
    .select(['id', 'name', 'bundle', 'domain'])
    .where('deleted_at', 'is', null)
    .where(scope === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`id = any(${scope}::int[])`)
    .orderBy(sql`lower(name) collate "C"`)
    .orderBy('id')
    .execute();
  return rows.map((app) => ({ ...app, label: appLabel(app) }));
}

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** Which of the apps that somebody named exist: ids that do, and the app's id by bundle as it was given. */
export type NamedApps = { ids: ReadonlySet<number>; idByBundle: ReadonlyMap<string, number> };

/**
 * Finds apps by id and by bundle (exact but for case) in one query, archived ones included: traffic of
 * an archived app is still stored (api 13).
 */
export async function findNamedApps(db: Kysely<Tables>, named: { ids: readonly number[]; bundles: readonly string[] }): Promise<NamedApps> {
  const { rows } = await sql<{ id: number; given: string | null }>`
    select id, null as given from apps where id = any(${named.ids}::bigint[])
    union all
    select apps.id, given.bundle from unnest(${named.bundles}::text[]) as given (bundle) join apps on lower(apps.bundle) = lower(given.bundle)
  `.execute(db);
  const ids = new Set<number>();
  const idByBundle = new Map<string, number>();
  for (const row of rows) {
    if (row.given === null) ids.add(row.id);
    else idByBundle.set(row.given, row.id);
  }
  return { ids, idByBundle };
}

/** The domain of the app that is not archived and has this host as its domain, whatever their case (api [73]). */
export async function findLiveDomain(db: Kysely<Tables>, host: string): Promise<string | null> {
  const { rows } = await sql<{ domain: string }>`
    select domain from apps where lower(domain) = lower(${host}) and deleted_at is null
  `.execute(db);
  return rows[0]?.domain ?? null;
}

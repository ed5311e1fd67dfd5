import { storedDomain } from '@switchyard/contract/host-name';
import { type Kysely, sql } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';

/** The existing apps among those that a batch names: their ids, and the id by bundle as it was sent. */
export type NamedApps = { ids: ReadonlySet<number>; idByBundle: ReadonlyMap<string, number> };

/**
 * Finds apps by id and by bundle, as names are compared, in one query. Archived ones are included: their traffic is still stored. Of
 * several apps whose bundles were stored before they were compared so, the one with the bundle that was sent is the last, which counts.
 */
export async function findNamedApps(db: Kysely<Tables>, names: { ids: readonly number[]; bundles: readonly string[] }): Promise<NamedApps> {
  const { rows } = await sql<{ id: number; given: string | null }>`
    select id, null as given from apps where id = any(${names.ids}::bigint[])
    union all
    (select apps.id, given.bundle from unnest(${names.bundles}::text[]) as given (bundle)
      join apps on comparable_text(apps.bundle) = comparable_text(given.bundle) order by lower(apps.bundle) = lower(given.bundle))
  `.execute(db);
  const ids = new Set<number>();
  const idByBundle = new Map<string, number>();
  for (const row of rows) {
    if (row.given === null) ids.add(row.id);
    else idByBundle.set(row.given, row.id);
  }
  return { ids, idByBundle };
}

/** The fields that show an app beside its traffic. Archived apps are included. */
export type AppLabel = { id: number; name: string; domain: string; deleted_at: Date | null };

/** The labels of these apps, by id. */
export async function findAppLabels(db: Kysely<Tables>, ids: readonly number[]): Promise<ReadonlyMap<number, AppLabel>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<AppLabel>`select id, name, domain, deleted_at from apps where id = any(${ids}::integer[])`.execute(db);
  return new Map(rows.map((app) => [app.id, app]));
}

/** The domain of the app that is not archived and has this host as its domain, ignoring case, a last dot and its encoding; null without one. */
export async function findLiveDomain(db: Kysely<Tables>, host: string): Promise<string | null> {
  const { rows } = await sql<{ domain: string }>`
    select domain from apps where lower(domain) = ${storedDomain(host)} and deleted_at is null
  `.execute(db);
  return rows[0]?.domain ?? null;
}

type CallOnApp = { params: { id: number }; caller: { scope: AppScope } };

/**
 * Rejects calls on an app that does not exist or that the caller does not see, with the same 404, so that nobody learns which
 * apps exist. Archived apps pass. No app is ever deleted, so each is looked up once.
 */
export function appInScope({ ui }: Pick<Databases['pools'], 'ui'>): (call: CallOnApp) => Promise<void> {
  const knownIds = new Set<number>();
  return async ({ params: { id }, caller: { scope } }) => {
    if (scope !== 'all' && !scope.includes(id)) throw notFound();
    if (knownIds.has(id)) return;
    const { rows } = await ui.query({ name: 'app-in-scope', text: 'select from apps where id = $1::integer', values: [id] });
    if (rows.length === 0) throw notFound();
    knownIds.add(id);
  };
}

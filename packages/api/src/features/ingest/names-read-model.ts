import { type Kysely, sql } from 'kysely';
import { coalesce } from '../../overload/coalesce.ts';
import type { Databases } from '../../database/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { findNamedApps, type NamedApps } from '../apps/apps-lookup.ts';
import { streamsOfTesters } from '../streams/streams-lookup.ts';

type NamedByIdOr<Key extends string> = { ids: readonly number[] } & Readonly<Record<Key, readonly string[]>>;

/**
 * Looks up the apps, buyers and streams that batches name. Concurrent batches share a query, so a result may contain what others
 * asked for, and each kind of query takes at most one connection of ingestion.
 */
export type NamesInBatches = {
  apps: (names: NamedByIdOr<'bundles'>) => Promise<NamedApps>;
  buyers: (names: NamedByIdOr<'emails'>) => Promise<Buyers>;
  testerStreams: (uids: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** The lookups of all batches of this process. */
export function createNamesInBatches({ db }: Pick<Databases, 'db'>): NamesInBatches {
  const testerStreams = coalesce((queries: readonly (readonly string[])[]) => streamsOfTesters(db, distinct(queries)));
  return {
    apps: coalesce((queries) =>
      findNamedApps(db, { ids: distinct(queries.map(({ ids }) => ids)), bundles: distinct(queries.map(({ bundles }) => bundles)) }),
    ),
    buyers: coalesce((queries) =>
      findBuyers(db, { ids: distinct(queries.map(({ ids }) => ids)), emails: distinct(queries.map(({ emails }) => emails)) }),
    ),
    testerStreams: async (uids) => (uids.length === 0 ? new Set() : testerStreams(uids)),
  };
}

function distinct<Value>(lists: readonly (readonly Value[])[]): Value[] {
  return [...new Set(lists.flat())];
}

/** The named buyers that exist: their ids, and their ids by e-mail in lower case. */
export type Buyers = { ids: ReadonlySet<number>; idByEmail: ReadonlyMap<string, number> };

/** Finds buyers that are not deleted by id and by e-mail in lower case, in one query. */
async function findBuyers(db: Kysely<Tables>, names: { ids: readonly number[]; emails: readonly string[] }): Promise<Buyers> {
  const { rows } = await sql<{ id: number; email: string }>`
    select id, lower(email) as email from accounts
    where panel = 'buyer' and deleted_at is null and (id = any(${names.ids}::bigint[]) or lower(email) = any(${names.emails}::text[]))
  `.execute(db);
  return { ids: new Set(rows.map((row) => row.id)), idByEmail: new Map(rows.map((row) => [row.email, row.id])) };
}

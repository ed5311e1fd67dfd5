import { type Kysely, sql } from 'kysely';
import { coalesce } from '../../coalesce.ts';
import type { Databases } from '../../database/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { findNamedApps, type NamedApps } from '../apps/apps-lookup.ts';
import { streamsOfTesters } from './streams-lookup.ts';

type NamedByIdOr<Key extends string> = { ids: readonly number[] } & Readonly<Record<Key, readonly string[]>>;

/**
 * Looks up the apps, buyers and streams that batches name. Concurrent batches share a query, so a result may contain what others
 * asked for, and each kind of query takes at most one connection of ingestion.
 */
export type NamesInBatches = {
  apps: (named: NamedByIdOr<'bundles'>) => Promise<NamedApps>;
  buyers: (named: NamedByIdOr<'emails'>) => Promise<Buyers>;
  testerStreams: (uids: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** The lookups of all batches of this process. */
export function createNamesInBatches({ db }: Pick<Databases, 'db'>): NamesInBatches {
  const testerStreams = coalesce((asked: readonly (readonly string[])[]) => streamsOfTesters(db, distinct(asked)));
  return {
    apps: coalesce((asked) =>
      findNamedApps(db, { ids: distinct(asked.map(({ ids }) => ids)), bundles: distinct(asked.map(({ bundles }) => bundles)) }),
    ),
    buyers: coalesce((asked) =>
      findBuyers(db, { ids: distinct(asked.map(({ ids }) => ids)), emails: distinct(asked.map(({ emails }) => emails)) }),
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
async function findBuyers(db: Kysely<Tables>, named: { ids: readonly number[]; emails: readonly string[] }): Promise<Buyers> {
  const { rows } = await sql<{ id: number; email: string }>`
    select id, lower(email) as email from accounts
    where panel = 'buyer' and deleted_at is null and (id = any(${named.ids}::bigint[]) or lower(email) = any(${named.emails}::text[]))
  `.execute(db);
  return { ids: new Set(rows.map((row) => row.id)), idByEmail: new Map(rows.map((row) => [row.email, row.id])) };
}

import { coalesce } from '../../coalesce.ts';
import type { Databases } from '../../database/connect.ts';
import { findNamedApps, type NamedApps } from '../apps/apps-lookup.ts';
import { streamsOfTesters } from '../streams/streams-lookup.ts';
import { type Buyers, findBuyers } from './buyers-read-model.ts';

type NamedByIdOr<Key extends string> = { ids: readonly number[] } & Readonly<Record<Key, readonly string[]>>;

/**
 * Finds what batches name. Many batches at once share a query, so an answer may hold what others asked
 * for, too, and however many there are, each kind of query takes one of ingestion's connections (R4).
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

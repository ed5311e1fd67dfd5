import { formatMicroseconds, fromDate } from '@switchyard/contract/dates';
import { setTimeout as wait } from 'node:timers/promises';
import type { Anchor } from '../../adapters/audit-anchor.ts';
import type { Databases } from '../../database/connect.ts';
import { transaction, unaudited, unchanged, type Audited, type OpenTransaction } from '../../database/transaction.ts';
import type { LoadAuditKeys } from '../../secret-keys/derived-keys.ts';
import { findLastSeal, findNewestId, insertSeal, listSignedEntries, listWriters, lockSeals, type AuditSeal } from './audit-seals-store.ts';
import { anchorOf, followAnchor, type Chain } from './follow-anchor.ts';
import { digestOf, signSeal } from './sign-entries.ts';

/** Entries of a seal at most. */
const entriesPerSeal = 1000;
/** Milliseconds after which a call ends; the entries of an upgraded database take several, and the first delays the start. */
const timeoutMs = 2000;
/** How often, and at what interval in milliseconds, the end of transactions under way is awaited. */
const polling = { maxAttempts: 20, intervalMs: 50 };

export type SealDependencies = {
  databases: Pick<Databases, 'opsDb' | 'pools'>;
  loadKeys: LoadAuditKeys;
  now: () => Date;
};

/** The newest seal that is known outside the database, and whether sealing may go on without it. */
export type Trust = { anchor: Anchor | null; isLossAcknowledged: boolean };

/** `isMissing`: the seal of the anchor is missing, so nothing was sealed. `last`: the newest seal. `newSeal`: the last one of this run. */
export type SealRun = { isMissing: boolean; anchor: Anchor | null; last: AuditSeal | undefined; newSeal: AuditSeal | null };

/**
 * Compares the anchor with the database, and seals the entries that no transaction under way can precede any more. One process
 * seals at a time, and nobody who writes an entry waits for it.
 */
export async function sealEntries(deps: SealDependencies, trust: Trust): Promise<SealRun> {
  const started = performance.now();
  const horizon = await findHorizon(deps);
  let run: SealRun = { isMissing: false, anchor: trust.anchor, last: undefined, newSeal: null };
  do {
    const { anchor, newSeal } = run;
    const isLossAcknowledged = trust.isLossAcknowledged && newSeal === null;
    const step = await transaction(deps.databases.opsDb, async (tx) =>
      sealNext(tx, deps, { trust: { anchor, isLossAcknowledged }, horizon }),
    );
    if (step.newSeal === null) return { ...step, newSeal };
    run = step;
  } while (performance.now() - started < timeoutMs);
  return run;
}

/**
 * The id up to which no further entry can appear; null if there is none now. Ids are taken in order, but a transaction that took a
 * low one may commit late. So every transaction that was writing when the newest id was read has to be over.
 */
async function findHorizon({ databases }: SealDependencies): Promise<string | null> {
  const newest = await findNewestId(databases.opsDb);
  let writers = await listWriters(databases.pools);
  for (let attempt = 0; writers.length > 0; attempt++) {
    if (attempt === polling.maxAttempts) return null;
    await wait(polling.intervalMs);
    const present = await listWriters(databases.pools);
    writers = writers.filter((writer) => present.includes(writer));
  }
  return newest;
}

async function sealNext(
  tx: OpenTransaction,
  { loadKeys, now }: SealDependencies,
  { trust, horizon }: { trust: Trust; horizon: string | null },
): Promise<Audited<SealRun>> {
  const { anchor } = trust;
  const isAlone = await lockSeals(tx);
  // After the lock: while it is held, no other key begins to seal.
  const keys = await loadKeys(tx);
  const chain = await followAnchor(tx, keys, anchor);
  const found = { isMissing: chain === null, anchor: chain?.anchor ?? anchor, last: chain?.last, newSeal: null };
  if (!isAlone || horizon === null || (chain === null && !trust.isLossAcknowledged)) return unchanged(found);
  const { last, number, resumesAfter } = await placeOfNext(tx, chain, anchor);
  const entries = await listSignedEntries(tx, { after: last?.toId ?? null, until: horizon, limit: entriesPerSeal });
  const lastEntry = entries.at(-1);
  if (lastEntry === undefined) return unchanged(found);
  const mac = keys.current();
  const seal = {
    id: number,
    sealedAt: formatMicroseconds(fromDate(now())),
    toId: lastEntry.id,
    keyId: mac.keyId,
    ids: entries.map(({ id }) => id),
    digests: Buffer.concat(entries.map((entry) => digestOf(mac, entry))),
    resumesAfter,
  };
  const newSeal = { ...seal, mac: signSeal(mac, seal, last?.mac ?? null) };
  await insertSeal(tx, newSeal);
  return unaudited<SealRun>('a seal is about entries of the trail', {
    isMissing: false,
    anchor: anchorOf(newSeal),
    last: newSeal,
    newSeal,
  });
}

/** After a loss, numbers continue after the missing one, so no number is used for two seals. */
async function placeOfNext(tx: OpenTransaction, chain: Chain | null, anchor: Anchor | null) {
  if (chain !== null) return { last: chain.last, number: (chain.last?.id ?? 0n) + 1n, resumesAfter: null };
  const last = await findLastSeal(tx);
  const [before, lost] = [last?.id ?? 0n, anchor?.number ?? 0n];
  return { last, number: (before > lost ? before : lost) + 1n, resumesAfter: before };
}

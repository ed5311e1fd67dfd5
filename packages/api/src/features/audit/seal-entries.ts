import { formatMicroseconds, fromDate } from '@switchyard/contract/dates';
import { setTimeout as wait } from 'node:timers/promises';
import type { AuditMac } from '../../adapters/audit-mac.ts';
import type { Databases } from '../../database/connect.ts';
import { transaction, unaudited, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { addSeal, listWriters, lockSeals, readLastSeal, readNewestId, readSignedEntries, type AuditSeal } from './audit-seals-store.ts';
import { digestOf, signSeal } from './sign-entries.ts';

/** Entries of a seal at most. */
const entriesPerSeal = 1000;
/** Milliseconds after which a call ends; the entries of an upgraded database take several, and the first delays the start. */
const patience = 2000;
/** How often, and at what interval in milliseconds, the end of transactions under way is awaited. */
const looks = { most: 20, every: 50 };

export type SealDependencies = {
  databases: Pick<Databases, 'opsDb' | 'pools'>;
  mac: AuditMac;
  now: () => Date;
};

/**
 * Seals the entries that no transaction under way can precede any more. Gives the last seal; null if none was made. One process
 * seals at a time, and nobody who writes an entry waits for it.
 */
export async function sealEntries(deps: SealDependencies): Promise<AuditSeal | null> {
  const { opsDb } = deps.databases;
  const horizon = await findHorizon(deps);
  if (horizon === null) return null;
  const started = performance.now();
  let last: AuditSeal | null = null;
  while (performance.now() - started < patience) {
    const seal = await transaction(opsDb, async (tx) => sealNext(tx, deps, horizon));
    if (seal === null) break;
    last = seal;
  }
  return last;
}

/**
 * The id up to which no further entry can appear; null if there is none now. Ids are taken in order, but a transaction that took a
 * low one may commit late. So every transaction that was writing when the newest id was read has to be over.
 */
async function findHorizon({ databases }: SealDependencies): Promise<number | null> {
  const newest = await readNewestId(databases.opsDb);
  let writers = await listWriters(databases.pools);
  for (let look = 0; writers.length > 0; look++) {
    if (look === looks.most) return null;
    await wait(looks.every);
    const present = await listWriters(databases.pools);
    writers = writers.filter((writer) => present.includes(writer));
  }
  return newest;
}

async function sealNext(tx: OpenTransaction, { mac, now }: SealDependencies, horizon: number) {
  if (!(await lockSeals(tx))) return unchanged(null);
  const before = await readLastSeal(tx);
  const entries = await readSignedEntries(tx, { after: before?.toId ?? null, until: horizon, limit: entriesPerSeal });
  const lastEntry = entries.at(-1);
  if (lastEntry === undefined) return unchanged(null);
  const seal = {
    id: (before?.id ?? 0) + 1,
    sealedAt: formatMicroseconds(fromDate(now())),
    toId: lastEntry.id,
    keyId: mac.keyId,
    ids: entries.map(({ id }) => id),
    digests: Buffer.concat(entries.map((entry) => digestOf(mac, entry))),
  };
  const signed = { ...seal, mac: signSeal(mac, seal, before?.mac ?? null) };
  await addSeal(tx, signed);
  return unaudited<AuditSeal | null>('a seal is about entries of the trail', signed);
}

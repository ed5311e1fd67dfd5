import type { AuditProblem } from '@switchyard/contract/audit-seals';
import type { AuditMac } from '../../adapters/audit-mac.ts';
import type { Databases } from '../../database/connect.ts';
import { readSeals, readSignedEntries, type AuditSeal } from './audit-seals-store.ts';
import { digestOf, digestsById, signSeal } from './sign-entries.ts';

/** Seals that are read at once. */
const sealsAtOnce = 50;
/** Entries beyond those of a seal that are read: each is a problem of its own. */
const strangers = 1000;

/** Where the verification stands: the last seal that it read; a MAC of null before the first seal. */
export type VerifyPosition = { sealId: number; toId: number | null; mac: Buffer | null };
export const firstPosition: VerifyPosition = { sealId: 0, toId: null, mac: null };

/** A part of the verification. `isEnd`: every seal was read. */
export type VerifiedPart = { problems: AuditProblem[]; position: VerifyPosition; entries: number; isEnd: boolean };

type Dependencies = { db: Databases['db']; mac: AuditMac };

/** Compares entries with their seals, from a position on, until the seals end or this many milliseconds are over. */
export async function verifySeals(deps: Dependencies, from: VerifyPosition, milliseconds: number): Promise<VerifiedPart> {
  const started = performance.now();
  const problems: AuditProblem[] = [];
  let [position, entries] = [from, 0];
  for (;;) {
    const seals = await readSeals(deps.db, position.sealId, sealsAtOnce);
    for (const seal of seals) {
      problems.push(...problemsOfSeal(deps.mac, seal, position), ...(await problemsOfEntries(deps, seal, position)));
      position = { sealId: seal.id, toId: seal.toId, mac: seal.mac };
      entries += seal.ids.length;
      if (performance.now() - started >= milliseconds) return { problems, position, entries, isEnd: false };
    }
    if (seals.length < sealsAtOnce) return { problems, position, entries, isEnd: true };
  }
}

function problemsOfSeal(mac: AuditMac, seal: AuditSeal, before: VerifyPosition): AuditProblem[] {
  // What follows a missing seal cannot be verified by its chain.
  if (seal.id !== before.sealId + 1) return [{ kind: 'seal-missing', seal_id: before.sealId + 1, entry_id: null }];
  if (seal.keyId !== mac.keyId) return [{ kind: 'other-key', seal_id: seal.id, entry_id: null }];
  if (signSeal(mac, seal, before.mac).equals(seal.mac)) return [];
  return [{ kind: 'seal-changed', seal_id: seal.id, entry_id: null }];
}

async function problemsOfEntries({ db, mac }: Dependencies, seal: AuditSeal, before: VerifyPosition): Promise<AuditProblem[]> {
  if (seal.keyId !== mac.keyId) return [];
  const digests = digestsById(seal);
  const limit = seal.ids.length + strangers;
  const entries = await readSignedEntries(db, { after: before.toId, until: seal.toId, limit });
  const problems: AuditProblem[] = [];
  const problem = (kind: AuditProblem['kind'], id: number) => problems.push({ kind, seal_id: seal.id, entry_id: id });
  for (const entry of entries) {
    const digest = digests.get(entry.id);
    if (digest === undefined) problem('entry-added', entry.id);
    else if (!digestOf(mac, entry).equals(digest)) problem('entry-changed', entry.id);
    digests.delete(entry.id);
  }
  for (const id of digests.keys()) problem('entry-missing', id);
  return problems;
}

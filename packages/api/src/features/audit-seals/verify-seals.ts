import type { AuditProblem } from '@switchyard/contract/audit-seals';
import type { AuditKeys } from '../../adapters/audit-mac.ts';
import type { Databases } from '../../database/connect.ts';
import type { LoadAuditKeys } from '../../secret-keys/derived-keys.ts';
import { listSeals, listSignedEntries, type AuditSeal } from './audit-seals-store.ts';
import { isNext } from './follow-anchor.ts';
import { digestOf, digestsById, isGenuine } from './sign-entries.ts';

/** Seals that are read at once. */
const sealsAtOnce = 50;
/** Entries beyond those of a seal that are read: each is a problem of its own. */
const foreignEntries = 1000;

/** The last seal that the verification read; a MAC of null before the first seal. */
export type VerifyPosition = { sealId: bigint; toId: string | null; mac: Buffer | null };
export const firstPosition: VerifyPosition = { sealId: 0n, toId: null, mac: null };

/** Seals that are missing, from one number to another, with the seal that resumed after an administrator acknowledged it. */
export type AcknowledgedLoss = { from: bigint; to: bigint; resumedBy: bigint };

/** A part of the verification. `isEnd`: every seal was read. */
export type VerifiedPart = {
  problems: AuditProblem[];
  losses: AcknowledgedLoss[];
  position: VerifyPosition;
  entries: number;
  isEnd: boolean;
};

type Dependencies = { db: Databases['db']; loadKeys: LoadAuditKeys };

/** Compares entries with their seals, from a position on, until the seals end or this many milliseconds are over. */
export async function verifySeals(deps: Dependencies, from: VerifyPosition, milliseconds: number): Promise<VerifiedPart> {
  const started = performance.now();
  const problems: AuditProblem[] = [];
  const losses: AcknowledgedLoss[] = [];
  let [position, entries] = [from, 0];
  for (;;) {
    const seals = await listSeals(deps.db, { after: position.sealId, limit: sealsAtOnce });
    // After the seals: a key that made one of them is known by now.
    const keys = await deps.loadKeys(deps.db);
    for (const seal of seals) {
      const sealProblem = problemOfSeal(keys, seal, position);
      if (sealProblem !== null) problems.push({ ...sealProblem, entry_id: null });
      else if (seal.id !== position.sealId + 1n) losses.push({ from: position.sealId + 1n, to: seal.id - 1n, resumedBy: seal.id });
      problems.push(...(await problemsOfEntries({ db: deps.db, keys }, seal, position)));
      position = { sealId: seal.id, toId: seal.toId, mac: seal.mac };
      entries += seal.ids.length;
      if (performance.now() - started >= milliseconds) return { problems, losses, position, entries, isEnd: false };
    }
    if (seals.length < sealsAtOnce) return { problems, losses, position, entries, isEnd: true };
  }
}

function problemOfSeal(keys: AuditKeys, seal: AuditSeal, before: VerifyPosition): Pick<AuditProblem, 'kind' | 'seal_id'> | null {
  // A seal after a missing one cannot be verified by its chain.
  if (!isNext(seal, before.sealId)) return { kind: 'seal-missing', seal_id: String(before.sealId + 1n) };
  if (keys.find(seal.keyId) === undefined) return { kind: 'other-key', seal_id: String(seal.id) };
  return isGenuine(keys, seal, before.mac) ? null : { kind: 'seal-changed', seal_id: String(seal.id) };
}

async function problemsOfEntries(
  { db, keys }: Pick<Dependencies, 'db'> & { keys: AuditKeys },
  seal: AuditSeal,
  before: VerifyPosition,
): Promise<AuditProblem[]> {
  const mac = keys.find(seal.keyId)?.mac;
  if (mac === undefined) return [];
  const digests = digestsById(seal);
  const limit = seal.ids.length + foreignEntries;
  const entries = await listSignedEntries(db, { after: before.toId, until: seal.toId, limit });
  const problems: AuditProblem[] = [];
  const problem = (kind: AuditProblem['kind'], id: string) => problems.push({ kind, seal_id: String(seal.id), entry_id: id });
  for (const entry of entries) {
    const digest = digests.get(entry.id);
    if (digest === undefined) problem('entry-added', entry.id);
    else if (!digestOf(mac, entry).equals(digest)) problem('entry-changed', entry.id);
    digests.delete(entry.id);
  }
  for (const id of digests.keys()) problem('entry-missing', id);
  return problems;
}

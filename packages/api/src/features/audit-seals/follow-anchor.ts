import type { Anchor } from '../../adapters/audit-anchor.ts';
import type { AuditKeys } from '../../adapters/audit-mac.ts';
import type { Databases } from '../../database/connect.ts';
import { findLastSeal, findSeal, listSeals, type AuditSeal } from './audit-seals-store.ts';
import { isGenuine } from './sign-entries.ts';

/** Seals that are read at once. */
const sealsAtOnce = 50;

/** The newest seal of an unbroken row, and the newest up to which its keys made all of them. */
export type Chain = { last: AuditSeal | undefined; anchor: Anchor | null };

/**
 * Follows the seals from an anchor on. Null: the seal of the anchor is missing or was replaced, and no administrator acknowledged
 * that. Without an anchor, the newest seal is trusted: there is nothing to compare it with.
 */
export async function followAnchor(db: Databases['db'], keys: AuditKeys, anchor: Anchor | null): Promise<Chain | null> {
  if (anchor === null) {
    const last = await findLastSeal(db);
    return { last, anchor: last === undefined ? null : anchorOf(last) };
  }
  const first = (await findAnchored(db, anchor)) ?? (await findAcknowledgement(db, keys, anchor.number));
  if (first === undefined) return null;
  let [last, trusted] = [first, first];
  for (;;) {
    const seals = await listSeals(db, { after: last.id, limit: sealsAtOnce });
    for (const seal of seals) {
      if (!isNext(seal, last.id)) return { last, anchor: anchorOf(trusted) };
      if (trusted === last && isGenuine(keys, seal, last.mac)) trusted = seal;
      last = seal;
    }
    if (seals.length < sealsAtOnce) return { last, anchor: anchorOf(trusted) };
  }
}

/** The anchor of a seal. */
export function anchorOf({ id, mac }: AuditSeal): Anchor {
  return { number: id, mac };
}

/** Whether a seal may come after the one with this number: with the next number, or after an acknowledged loss. */
export function isNext({ id, resumesAfter }: AuditSeal, before: bigint): boolean {
  return id === before + 1n || resumesAfter === before;
}

/** The seal of an anchor, if it is still there as it was. */
export async function findAnchored(db: Databases['db'], { number, mac }: Anchor): Promise<AuditSeal | undefined> {
  const seal = await findSeal(db, number);
  return seal?.mac.equals(mac) === true ? seal : undefined;
}

/**
 * The first seal after a number with which the console resumed after a loss that an administrator acknowledged. Only the key can
 * make such a seal, so all processes can rely on it.
 */
export async function findAcknowledgement(db: Databases['db'], keys: AuditKeys, number: bigint): Promise<AuditSeal | undefined> {
  for (const seal of await listSeals(db, { after: number, limit: sealsAtOnce, acknowledging: true })) {
    const { resumesAfter } = seal;
    if (resumesAfter === null) continue;
    const before = resumesAfter === 0n ? null : await findSeal(db, resumesAfter);
    if (before !== undefined && isGenuine(keys, seal, before?.mac ?? null)) return seal;
  }
  return undefined;
}

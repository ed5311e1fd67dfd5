import type { AuditKeys, AuditMac } from '../../adapters/audit-mac.ts';
import type { AuditSeal, SignedEntry } from './audit-seals-store.ts';

/** Bytes of the digest of an entry. */
const digestBytes = 16;

/** The digest of an entry. Its text contains its id, so entries cannot be swapped. */
export function digestOf(mac: AuditMac, { text }: SignedEntry): Buffer {
  return mac.sign(['entry', text]).subarray(0, digestBytes);
}

/** The digests that a seal holds, by id. */
export function digestsById({ ids, digests }: Pick<AuditSeal, 'ids' | 'digests'>): Map<string, Buffer> {
  return new Map(ids.map((id, index) => [id, digests.subarray(index * digestBytes, (index + 1) * digestBytes)]));
}

/** The MAC of a seal, which covers the seal before it; null: it is the first. */
export function signSeal(mac: AuditMac, seal: Omit<AuditSeal, 'mac'>, before: Buffer | null): Buffer {
  const { id, sealedAt, toId, keyId, ids, digests, resumesAfter } = seal;
  // Only seals after a loss have the last part, so that seals of earlier versions stay valid.
  const resumed = resumesAfter === null ? [] : [`resumes after ${resumesAfter}`];
  return mac.sign(['seal', before ?? '', String(id), sealedAt, toId, keyId, ids.join(','), digests, ...resumed]);
}

/** Whether one of the keys made a seal in its time, as the one after `before`; null: as the first. */
export function isGenuine(keys: AuditKeys, seal: AuditSeal, before: Buffer | null): boolean {
  const key = keys.find(seal.keyId);
  if (key === undefined || (key.lastSeal !== null && seal.id > key.lastSeal)) return false;
  return signSeal(key.mac, seal, before).equals(seal.mac);
}

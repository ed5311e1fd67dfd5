import type { AuditMac } from '../../adapters/audit-mac.ts';
import type { AuditSeal, SignedEntry } from './audit-seals-store.ts';

/** Bytes of the digest of an entry. */
const digestBytes = 16;

/** The digest of an entry. Its text contains its id, so entries cannot be swapped. */
export function digestOf(mac: AuditMac, { text }: SignedEntry): Buffer {
  return mac.sign(['entry', text]).subarray(0, digestBytes);
}

/** The digests that a seal holds, by id. */
export function digestsById({ ids, digests }: Pick<AuditSeal, 'ids' | 'digests'>): Map<number, Buffer> {
  return new Map(ids.map((id, index) => [id, digests.subarray(index * digestBytes, (index + 1) * digestBytes)]));
}

/** The MAC of a seal, which covers the seal before it; null: it is the first. */
export function signSeal(mac: AuditMac, seal: Omit<AuditSeal, 'mac'>, before: Buffer | null): Buffer {
  const { id, sealedAt, toId, keyId, ids, digests } = seal;
  return mac.sign(['seal', before ?? '', String(id), sealedAt, String(toId), keyId, ids.join(','), digests]);
}

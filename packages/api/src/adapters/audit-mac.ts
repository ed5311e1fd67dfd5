import { createHmac, hkdfSync } from 'node:crypto';

/**
 * Authenticates the audit trail with a key derived from SECRET_KEY, so that access to the database alone does not suffice to
 * forge it.
 */
export type AuditMac = {
  /** Identifies the key. Stored beside what the key signed. */
  keyId: string;
  /** MAC of a list of parts; no two lists share one, however their parts are cut. */
  sign(parts: readonly (string | Buffer)[]): Buffer;
};

/** The key of a MAC, and the id that seals name. */
export type AuditKey = { id: string; bytes: Buffer };

/** Derives the key of the audit trail from a secret key. */
export function deriveAuditKey(secretKey: string): AuditKey {
  const derive = (purpose: string, length: number) => Buffer.from(hkdfSync('sha256', secretKey, '', `switchyard ${purpose}`, length));
  return { id: derive('audit seal key id', 4).toString('hex'), bytes: derive('audit seal v1', 32) };
}

/** Creates the MAC of the audit trail. */
export function createAuditMac({ id, bytes }: AuditKey): AuditMac {
  return {
    keyId: id,
    sign(parts) {
      const mac = createHmac('sha256', bytes);
      for (const part of parts) {
        const bytesOfPart = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
        const length = Buffer.alloc(4);
        length.writeUInt32BE(bytesOfPart.length);
        mac.update(length).update(bytesOfPart);
      }
      return mac.digest();
    },
  };
}

/** A key that made seals. `lastSeal`: the number of its last one, from when it was replaced; null while it seals. */
export type SealingKey = { mac: AuditMac; lastSeal: bigint | null };

/** The keys of the audit trail, as they are now. */
export type AuditKeys = {
  /** The MAC that signs new seals. @throws if this process does not have its key. */
  current: () => AuditMac;
  /** The key that seals name by this id; undefined if it is unknown. */
  find: (keyId: string) => SealingKey | undefined;
};

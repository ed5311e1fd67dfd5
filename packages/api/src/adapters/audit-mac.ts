import { createHmac, hkdfSync } from 'node:crypto';

/**
 * Authenticates the audit trail with a key derived from SECRET_KEY, so that access to the database alone does not suffice to
 * forge it.
 */
export type AuditMac = {
  /** Tells keys apart; stored with what the key signed. */
  keyId: string;
  /** MAC of a list of parts; no two lists share one, however their parts are cut. */
  sign(parts: readonly (string | Buffer)[]): Buffer;
};

/** Creates the MAC of the audit trail. */
export function createAuditMac(secretKey: string): AuditMac {
  const derive = (purpose: string, length: number) => Buffer.from(hkdfSync('sha256', secretKey, '', `switchyard ${purpose}`, length));
  const key = derive('audit seal v1', 32);
  return {
    keyId: derive('audit seal key id', 4).toString('hex'),
    sign(parts) {
      const mac = createHmac('sha256', key);
      for (const part of parts) {
        const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
        const length = Buffer.alloc(4);
        length.writeUInt32BE(bytes.length);
        mac.update(length).update(bytes);
      }
      return mac.digest();
    },
  };
}

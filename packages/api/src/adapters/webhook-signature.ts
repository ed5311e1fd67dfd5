import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

/** A new signing secret as Standard Webhooks shows it: `whsec_` and 256 random bits in base64. */
export function randomSigningSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/** The key of a signing secret. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64');
}

/**
 * The three headers of Standard Webhooks 1.0, which receivers check with one of its libraries: a signature for each key, with a space
 * between them. `id` must not contain a dot, because dots separate what is signed.
 */
export function signWebhook({
  id,
  at,
  body,
  keys,
}: {
  id: string;
  at: Date;
  body: string;
  keys: readonly Buffer[];
}): Record<string, string> {
  const time = String(Math.floor(at.getTime() / 1000));
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures.join(' ') };
}

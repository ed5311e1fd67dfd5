import { Secret, TOTP } from 'otpauth';

/** Bytes of a secret: the output of SHA-1, as RFC 4226 recommends. */
const secretBytes = 20;
/** Steps before and after the current one whose codes are accepted, for clocks that differ. */
const window = 1;

/** A new secret in base32, as authenticator apps take it. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The address that a QR code carries: six digits, 30 seconds, SHA-1, which every authenticator app supports. */
export function totpUri(factor: { secret: string; issuer: string; label: string }): string {
  return new TOTP({ ...factor, secret: Secret.fromBase32(factor.secret) }).toString();
}

/** The 30-second step (RFC 6238) that a code belongs to; null when it is wrong. Compared in constant time. */
export function totpStep({ secret, code, now }: { secret: string; code: string; now: Date }): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp, window });
  return delta === null ? null : TOTP.counter({ timestamp }) + delta;
}

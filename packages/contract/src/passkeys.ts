import { z } from 'zod';

/** Binary data of WebAuthn in base64url. */
const binary = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/);
const credentialId = binary(1_400);
const clientDataJSON = binary(8_000);

const descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) });

/** Options of WebAuthn for a new passkey, as `PublicKeyCredential.parseCreationOptionsFromJSON` takes them. */
export const creationOptions = z.object({
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type CreationOptions = z.output<typeof creationOptions>;

/** Options of WebAuthn for using a passkey. Without `allowCredentials`: any passkey of this console. */
export const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(descriptor).optional(),
});
export type RequestOptions = z.output<typeof requestOptions>;

/** A new passkey as the browser gives it. */
export const newPasskey = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON,
    attestationObject: binary(40_000),
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
});
export type NewPasskey = z.output<typeof newPasskey>;

/** The proof of a passkey as the browser gives it. */
export const passkeyProof = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON, authenticatorData: binary(8_000), signature: binary(4_000), userHandle: binary(100).optional() }),
});
export type PasskeyProof = z.output<typeof passkeyProof>;

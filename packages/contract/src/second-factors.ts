import { z } from 'zod';
import { defineEndpoint, ownSecurityAccess, publicAccess } from './endpoint.ts';
import { googleProof } from './google-sign-in.ts';
import { idParams } from './listing.ts';
import { creationOptions, newPasskey, passkeyProof, requestOptions } from './passkeys.ts';
import { signedIn } from './session.ts';
import { nameText, requiredMessage, requiredText } from './text-fields.ts';

export const secondFactorMessages = {
  wrongCode: 'This code is wrong or was used before. Enter the next one',
  wrongPasskey: 'This passkey could not be verified',
  unknownPasskey: 'This passkey is unknown or could not be verified',
  wrongRecoveryCode: 'This recovery code is wrong or was used before',
  expired: 'The sign-in has expired. Sign in again',
  setUpExpired: 'The set-up has expired. Start again',
  demo: 'Demo accounts cannot have a second factor',
  tooMany: 'You already have 20 second factors',
  confirmWithFactor: 'Confirm with your second factor',
  required: 'Your account must have a second factor. Add another one before you remove this one',
} as const;

export const secondFactorLimits = { perAccount: 20, nameCharacters: 60, recoveryCodes: 10 } as const;

export const factorKinds = ['totp', 'passkey'] as const;

/** A second factor as its owner sees it. */
export const secondFactor = z.object({
  id: z.int(),
  kind: z.enum(factorKinds),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});
export type SecondFactor = z.output<typeof secondFactor>;

/**
 * The caller's factors, oldest first. `required`: the last one cannot be removed; `required_from`: when that begins, if a rule names
 * a later day. `may_add` is false for demo accounts.
 */
export const ownFactors = z.object({
  factors: z.array(secondFactor),
  recovery_codes_left: z.int(),
  required: z.boolean(),
  required_from: z.string().nullable(),
  may_add: z.boolean(),
});
export type OwnFactors = z.output<typeof ownFactors>;

/** A new factor. With the first one come the recovery codes, which are never shown again. */
const addedFactor = z.object({ factor: secondFactor, recovery_codes: z.array(z.string()).nullable() });
export type AddedFactor = z.output<typeof addedFactor>;

const challenge = requiredText(100);
const code = requiredText(40);
const factorName = nameText(secondFactorLimits.nameCharacters).meta({
  type: 'string',
  minLength: 1,
  maxLength: secondFactorLimits.nameCharacters,
});

/** One of the proofs that the answer of the sign-in names. */
const secondStepBody = z
  .strictObject({ challenge, code: code.optional(), recovery_code: code.optional(), passkey: passkeyProof.optional() })
  .refine((body) => countGiven(body.code, body.recovery_code, body.passkey) === 1, {
    path: ['code'],
    message: requiredMessage('code'),
    params: { shape: true },
  });

function countGiven(...fields: unknown[]): number {
  return fields.filter((field) => field !== undefined).length;
}

/** Options for using a passkey. */
const passkeyRequest = z.object({ challenge: z.string(), options: requestOptions });

export const getPasskeyOptionsOfSignIn = defineEndpoint({
  number: 166,
  method: 'POST',
  path: 'sanctum/second-factor/passkey',
  summary: 'Options for finishing a sign-in with a passkey',
  access: publicAccess,
  body: z.strictObject({ challenge }),
  answer: { kind: 'data', status: 200, schema: z.object({ options: requestOptions }) },
  rejections: [401, 429],
});

export const beginPasskeySignIn = defineEndpoint({
  number: 167,
  method: 'POST',
  path: 'sanctum/passkey/options',
  summary: 'Begin a sign-in with a passkey alone',
  access: publicAccess,
  answer: { kind: 'data', status: 200, schema: passkeyRequest },
  rejections: [404, 429],
});

export const signInWithPasskey = defineEndpoint({
  number: 168,
  method: 'POST',
  path: 'sanctum/passkey',
  summary: 'Sign in with a passkey alone',
  access: publicAccess,
  body: z.strictObject({ challenge, passkey: passkeyProof }),
  answer: { kind: 'data', status: 200, schema: signedIn },
  rejections: [401, 404, 429],
});

export const beginPasskey = defineEndpoint({
  number: 172,
  method: 'POST',
  path: 'sanctum/second-factors/passkey',
  summary: 'Begin to add a passkey',
  access: ownSecurityAccess,
  recentSignIn: { before: 'call' },
  answer: { kind: 'data', status: 200, schema: z.object({ challenge: z.string(), options: creationOptions }) },
  rejections: [409],
});

export const confirmPasskey = defineEndpoint({
  number: 173,
  method: 'POST',
  path: 'sanctum/second-factors/passkey/confirm',
  summary: 'Add a passkey',
  access: ownSecurityAccess,
  recentSignIn: null,
  body: z.strictObject({ challenge, passkey: newPasskey, name: factorName }),
  answer: { kind: 'data', status: 201, schema: addedFactor },
  rejections: [409],
});

export const getOwnPasskeyOptions = defineEndpoint({
  number: 178,
  method: 'POST',
  path: 'sanctum/reauthenticate/passkey',
  summary: 'Options for confirming the identity with a passkey',
  access: ownSecurityAccess,
  recentSignIn: null,
  answer: { kind: 'data', status: 200, schema: passkeyRequest },
});

export const finishSignIn = defineEndpoint({
  number: 165,
  method: 'POST',
  path: 'sanctum/second-factor',
  summary: 'Finish a sign-in with a second factor',
  access: publicAccess,
  body: secondStepBody,
  answer: { kind: 'data', status: 200, schema: signedIn },
  rejections: [401, 429],
});

export const reauthenticate = defineEndpoint({
  number: 177,
  method: 'POST',
  path: 'sanctum/reauthenticate',
  summary: 'Confirm the identity of the signed-in person before a sensitive change',
  access: ownSecurityAccess,
  recentSignIn: null,
  body: z
    .strictObject({
      password: requiredText(Infinity).optional(),
      code: code.optional(),
      recovery_code: code.optional(),
      google: googleProof.optional(),
      challenge: challenge.optional(),
      passkey: passkeyProof.optional(),
    })
    .refine((body) => countGiven(body.code, body.recovery_code, body.password, body.passkey, body.google) === 1, {
      path: ['password'],
      message: requiredMessage('password'),
      params: { shape: true },
    }),
  answer: { kind: 'empty' },
  rejections: [429],
});

export const listOwnFactors = defineEndpoint({
  number: 169,
  method: 'GET',
  path: 'sanctum/second-factors',
  summary: "The caller's second factors",
  access: ownSecurityAccess,
  answer: { kind: 'data', status: 200, schema: ownFactors },
});

export const beginTotp = defineEndpoint({
  number: 170,
  method: 'POST',
  path: 'sanctum/second-factors/totp',
  summary: 'Begin to add an authenticator app',
  access: ownSecurityAccess,
  recentSignIn: { before: 'call' },
  answer: { kind: 'data', status: 200, schema: z.object({ challenge: z.string(), secret: z.string(), uri: z.string() }) },
  rejections: [409],
});

export const confirmTotp = defineEndpoint({
  number: 171,
  method: 'POST',
  path: 'sanctum/second-factors/totp/confirm',
  summary: 'Add an authenticator app with its first code',
  access: ownSecurityAccess,
  recentSignIn: null,
  body: z.strictObject({ challenge, code, name: factorName }),
  answer: { kind: 'data', status: 201, schema: addedFactor },
  rejections: [409],
});

export const renameFactor = defineEndpoint({
  number: 174,
  method: 'PUT',
  path: 'sanctum/second-factors/{id}',
  summary: 'Rename a second factor',
  access: ownSecurityAccess,
  recentSignIn: null,
  params: idParams,
  body: z.strictObject({ name: factorName }),
  answer: { kind: 'data', status: 200, schema: secondFactor },
});

export const removeFactor = defineEndpoint({
  number: 175,
  method: 'DELETE',
  path: 'sanctum/second-factors/{id}',
  summary: 'Remove a second factor',
  access: ownSecurityAccess,
  recentSignIn: { before: 'write' },
  params: idParams,
  answer: { kind: 'empty' },
  rejections: [409],
});

export const renewRecoveryCodes = defineEndpoint({
  number: 176,
  method: 'POST',
  path: 'sanctum/recovery-codes',
  summary: 'Replace the recovery codes',
  access: ownSecurityAccess,
  recentSignIn: { before: 'write' },
  answer: { kind: 'data', status: 201, schema: z.object({ recovery_codes: z.array(z.string()) }) },
  rejections: [404],
});

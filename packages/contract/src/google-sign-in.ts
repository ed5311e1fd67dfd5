import { z } from 'zod';
import { defineEndpoint, publicAccess } from './endpoint.ts';
import { signInAnswer } from './session.ts';
import { plainText, requiredText } from './text-fields.ts';

export const googleMessages = {
  off: 'Sign-in with Google is switched off',
  notConfigured: 'Google sign-in is not configured',
  unavailable: 'Google is unavailable, try again',
  badState: 'Invalid or expired sign-in state',
  failed: 'Google sign-in failed',
  unknownUser: 'User not found',
  otherAccount: 'Google could not confirm that it is you. Use the Google account you sign in with',
} as const;

/** A consent URL, its single-use state, and the expiry of the state in ms since 1970. */
export const consent = z.object({ url: z.string(), state: z.string(), expiresAt: z.int() });
export type Consent = z.output<typeof consent>;

export const getConsentUrl = defineEndpoint({
  number: 8,
  method: 'GET',
  path: 'google/auth-url',
  summary: 'Address of the consent page of Google sign-in',
  access: publicAccess,
  answer: { kind: 'data', status: 200, schema: consent },
  rejections: [404, 429],
});

/** The response of the consent page, with the state that began it. */
export const googleProof = z.strictObject({ code: requiredText(2_048), state: requiredText(256) });

export const signInWithGoogle = defineEndpoint({
  number: 7,
  method: 'POST',
  path: 'google/login',
  summary: 'Sign in with the code of the consent page',
  access: publicAccess,
  // A missing state is valid here: the call returns 401, because that sign-in was never started.
  body: z.strictObject({ code: requiredText(2_048), state: plainText(256).default('') }),
  answer: { kind: 'data', status: 200, schema: signInAnswer },
  rejections: [401, 404, 429],
});

import { z } from 'zod';
import { defineEndpoint, publicAccess } from './endpoint.ts';
import { sessionToken, sessionUser } from './session.ts';
import { plainText, requiredText } from './text-fields.ts';

export const googleMessages = {
  off: 'Sign-in with Google is switched off',
  notConfigured: 'Google sign-in is not configured',
  unavailable: 'Google is unavailable, try again',
  badState: 'Invalid or expired sign-in state',
  failed: 'Google sign-in failed',
  unknownUser: 'User not found',
} as const;

/** A consent address, its single-use state, and the moment (ms since 1970) after which the state counts for nothing. */
export const consent = z.object({ url: z.string(), state: z.string(), expiresAt: z.int() });
export type Consent = z.output<typeof consent>;

export const getConsentUrl = defineEndpoint({
  number: 8,
  method: 'GET',
  path: 'google/auth-url',
  summary: 'Address of the consent page of Google sign-in',
  access: publicAccess,
  answer: { kind: 'data', status: 200, schema: consent },
  refusals: [404, 429],
});

export const signInWithGoogle = defineEndpoint({
  number: 7,
  method: 'POST',
  path: 'google/login',
  summary: 'Sign in with what the consent page gave back',
  access: publicAccess,
  // Without a state nothing is malformed: the answer is 401, because no such sign-in was begun (api [7]).
  body: z.strictObject({ code: requiredText(2_048), state: plainText(256).default('') }),
  answer: { kind: 'data', status: 200, schema: z.object({ user: sessionUser, token: sessionToken }) },
  refusals: [401, 404, 429],
});

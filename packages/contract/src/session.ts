import { z } from 'zod';
import { defineEndpoint, ownAccountAccess, ownSecurityAccess, publicAccess } from './endpoint.ts';
import { panels } from './permissions.ts';
import { requiredText } from './text-fields.ts';

export const signInMessages = {
  wrong: 'Invalid e-mail or password',
  denied: 'Access denied. Contact your administrator',
  passkeyOff: 'Sign-in with a passkey is switched off',
  emailOff: 'Sign-in by e-mail is switched off',
} as const;

/** The signed-in account. `permissions` is the union over its roles. */
export const sessionUser = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  panel: z.enum(panels),
  roles: z.array(z.string()),
  badges: z.array(z.string()),
  permissions: z.array(z.string()),
  hasAllApps: z.boolean(),
  isSuperAdmin: z.boolean(),
});
export type SessionUser = z.output<typeof sessionUser>;

/** A bearer token and its expiry in milliseconds since 1970. */
export const sessionToken = z.object({ accessToken: z.string(), expiresAt: z.int() });
export type SessionToken = z.output<typeof sessionToken>;

/** An opened session. */
export const signedIn = z.object({ user: sessionUser, token: sessionToken });
export type SignedIn = z.output<typeof signedIn>;

export const secondFactorMethods = ['totp', 'passkey', 'recovery_code'] as const;
export type SecondFactorMethod = (typeof secondFactorMethods)[number];

/** How a signed-in person confirms their identity before a sensitive change. */
export const reauthenticationMethods = ['passkey', 'totp', 'recovery_code', 'password', 'google'] as const;
export type ReauthenticationMethod = (typeof reauthenticationMethods)[number];
/** The `data` of the 403 that asks for it. No method: the person has to sign in again. */
export const reauthenticationRequest = z.object({ reauthentication: z.object({ methods: z.array(z.enum(reauthenticationMethods)) }) });

/** Data of the 403 to an account that first has to set up a second factor. */
export const factorSetUpRequest = z.object({ second_factor: z.literal('set_up') });

/** The first factor was right, and the account has a second one: what it accepts, and the challenge that the next call carries. */
export const secondStep = z.object({ methods: z.array(z.enum(secondFactorMethods)), challenge: z.string() });
export type SecondStep = z.output<typeof secondStep>;

/** Answer of a sign-in: a session, or the second step of accounts that have a second factor. */
export const signInAnswer = z.union([signedIn, z.object({ second_factor: secondStep })]);
export type SignInAnswer = z.output<typeof signInAnswer>;

export const signIn = defineEndpoint({
  number: 1,
  method: 'POST',
  path: 'sanctum/login',
  summary: 'Sign in with e-mail and password',
  access: publicAccess,
  // No length limits: a longer e-mail or password is wrong, not malformed.
  body: z.strictObject({ email: requiredText(Infinity), password: requiredText(Infinity) }),
  answer: { kind: 'data', status: 200, schema: signInAnswer },
  rejections: [401, 404, 429],
});

export const signOutByGet = defineEndpoint({
  number: 2,
  method: 'GET',
  path: 'sanctum/logout',
  summary: 'End the current session',
  access: ownSecurityAccess,
  answer: { kind: 'empty' },
});

export const signOut = defineEndpoint({
  number: 3,
  method: 'POST',
  path: 'sanctum/logout',
  summary: 'End the current session',
  access: ownSecurityAccess,
  recentSignIn: null,
  answer: { kind: 'empty' },
});

export const getSessionUser = defineEndpoint({
  number: 4,
  method: 'GET',
  path: 'sanctum/user',
  summary: 'The signed-in account',
  access: ownAccountAccess,
  answer: { kind: 'data', status: 200, schema: sessionUser },
});

import { z } from 'zod';
import { defineEndpoint, publicAccess, sessionAccess } from './endpoint.ts';
import { panels } from './permissions.ts';
import { requiredText } from './text-fields.ts';

export const signInMessages = {
  wrong: 'Invalid e-mail or password',
  denied: 'Access denied. Contact your administrator',
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

export const signIn = defineEndpoint({
  number: 1,
  method: 'POST',
  path: 'sanctum/login',
  summary: 'Sign in with e-mail and password',
  access: publicAccess,
  // No length limits: a longer e-mail or password is wrong, not malformed.
  body: z.strictObject({ email: requiredText(Infinity), password: requiredText(Infinity) }),
  answer: { kind: 'data', status: 200, schema: z.object({ user: sessionUser, token: sessionToken }) },
  rejections: [401, 404, 429],
});

export const signOutByGet = defineEndpoint({
  number: 2,
  method: 'GET',
  path: 'sanctum/logout',
  summary: 'End the current session',
  access: sessionAccess,
  answer: { kind: 'empty' },
});

export const signOut = defineEndpoint({
  number: 3,
  method: 'POST',
  path: 'sanctum/logout',
  summary: 'End the current session',
  access: sessionAccess,
  answer: { kind: 'empty' },
});

export const getSessionUser = defineEndpoint({
  number: 4,
  method: 'GET',
  path: 'sanctum/user',
  summary: 'The signed-in account',
  access: sessionAccess,
  answer: { kind: 'data', status: 200, schema: sessionUser },
});

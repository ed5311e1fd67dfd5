import { z } from 'zod';
import { emailCharacters, passwordCharacters } from './account-rules.ts';
import { idParams } from './listing.ts';
import { newPassword } from './new-password.ts';
import { defineEndpoint, peopleAccess } from './endpoint.ts';
import { plainText, requiredText } from './text-fields.ts';

/** A live session of the caller. `last_used_at` may be up to a minute old. */
export const ownSession = z.object({
  id: z.int(),
  created_at: z.string(),
  last_used_at: z.string(),
  expires_at: z.string(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  current: z.boolean(),
});
export type OwnSession = z.output<typeof ownSession>;

export const listOwnSessions = defineEndpoint({
  number: 5,
  method: 'GET',
  path: 'sanctum/sessions',
  summary: "The caller's live sessions, newest first",
  access: peopleAccess,
  answer: { kind: 'data', status: 200, schema: z.array(ownSession) },
});

export const endOwnSession = defineEndpoint({
  number: 6,
  method: 'DELETE',
  path: 'sanctum/sessions/{id}',
  summary: "End one of the caller's sessions",
  access: peopleAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

/** Whether the caller's own API tokens are revoked as well. */
const revokesTokens = z.boolean().default(false);

export const endOtherSessions = defineEndpoint({
  number: 113,
  method: 'DELETE',
  path: 'sanctum/sessions',
  summary: "End all of the caller's sessions except the current one",
  access: peopleAccess,
  recentSignIn: null,
  body: z.strictObject({ revoke_tokens: revokesTokens }),
  answer: { kind: 'empty' },
});

// No length limit for the current password: a longer one is wrong, not malformed, as in [1].
const changeOwnPasswordBody = z.strictObject({
  current_password: requiredText(Infinity),
  password: newPassword,
  revoke_tokens: revokesTokens,
});
export type ChangeOwnPasswordBody = z.output<typeof changeOwnPasswordBody>;

export const changeOwnPassword = defineEndpoint({
  number: 112,
  method: 'PUT',
  path: 'sanctum/password',
  summary: "Change the caller's password and end all other sessions",
  access: peopleAccess,
  recentSignIn: { before: 'change', of: ['password'] },
  body: changeOwnPasswordBody,
  validatesValues: true,
  answer: { kind: 'empty' },
  rejections: [429],
});

/** Forms call it for a new password, because only the server has the list of common passwords. Stores nothing. */
export const checkPassword = defineEndpoint({
  number: 116,
  method: 'POST',
  path: 'sanctum/password-check',
  summary: 'Validate a new password for an account with this e-mail address',
  access: peopleAccess,
  recentSignIn: null,
  body: z.strictObject({ password: requiredText(passwordCharacters.max), email: plainText(emailCharacters).default('') }),
  answer: { kind: 'data', status: 200, schema: z.object({ error: z.string().nullable() }) },
  rejections: [429],
});

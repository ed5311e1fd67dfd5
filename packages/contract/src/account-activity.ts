import { z } from 'zod';
import { anyPermission, defineEndpoint, peopleWith } from './endpoint.ts';
import { idParams } from './listing.ts';
import { ownSession } from './own-sessions.ts';
import { factorKinds } from './second-factors.ts';

/**
 * Live sessions of an account and the time of its last activity: the latest use of a live session or its latest entry
 * in the audit trail, or null if there is neither. `current` marks the caller's own session.
 */
export const accountSessions = z.object({ last_active_at: z.string().nullable(), sessions: z.array(ownSession) });
export type AccountSessions = z.output<typeof accountSessions>;

/** A permission of an account with the labels of the roles that grant it, ordered by role id. */
export const effectivePermission = z.object({
  id: z.int(),
  label: z.string(),
  description: z.string().nullable(),
  roles: z.array(z.string()),
});
export type EffectivePermission = z.output<typeof effectivePermission>;

export const listAccountSessions = defineEndpoint({
  number: 110,
  method: 'GET',
  path: 'users/{id}/sessions',
  summary: 'Live sessions and last activity of an account of either panel',
  access: peopleWith('manager_user_edit'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: accountSessions },
});

export const endAccountSession = defineEndpoint({
  number: 114,
  method: 'DELETE',
  path: 'users/{id}/sessions/{sessionId}',
  summary: 'End a live session of an account of either panel',
  access: peopleWith('manager_user_deactivate'),
  recentSignIn: null,
  params: idParams.extend({ sessionId: idParams.shape.id }),
  answer: { kind: 'empty' },
});

export const listAccountPermissions = defineEndpoint({
  number: 111,
  method: 'GET',
  path: 'users/{id}/permissions',
  summary: 'Permissions that an account of either panel holds, each with its roles',
  access: anyPermission('manager_user_edit'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: z.array(effectivePermission) },
});

/** The second factors of an account, oldest first. `required`: the rules of the console demand one. */
export const accountFactors = z.object({
  factors: z.array(z.object({ id: z.int(), kind: z.enum(factorKinds), created_at: z.string(), last_used_at: z.string().nullable() })),
  required: z.boolean(),
});
export type AccountFactors = z.output<typeof accountFactors>;

export const listAccountFactors = defineEndpoint({
  number: 183,
  method: 'GET',
  path: 'users/{id}/second-factors',
  summary: 'Second factors of an account of either panel',
  access: peopleWith('manager_user_edit'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: accountFactors },
});

/** Whether an account has a second factor, and whether the rules demand one now. */
export const factorState = z.object({ id: z.int(), has_factor: z.boolean(), required: z.boolean() });
export type FactorState = z.output<typeof factorState>;

export const listFactorStates = defineEndpoint({
  number: 205,
  method: 'GET',
  path: 'users/second-factors',
  summary: 'Which accounts of either panel have a second factor',
  access: peopleWith('manager_user_edit'),
  answer: { kind: 'data', status: 200, schema: z.array(factorState) },
});

/** Ends all sessions of the account, too. */
export const resetAccountFactors = defineEndpoint({
  number: 180,
  method: 'DELETE',
  path: 'users/{id}/second-factors',
  summary: 'Remove the second factors and recovery codes of an account of either panel',
  access: peopleWith('manager_user_edit'),
  recentSignIn: { before: 'write' },
  params: idParams,
  answer: { kind: 'empty' },
});

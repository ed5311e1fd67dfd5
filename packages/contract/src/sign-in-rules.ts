import { z } from 'zod';
import { defineEndpoint, peopleWith } from './endpoint.ts';
import { panels } from './permissions.ts';
import { integer } from './text-fields.ts';

/** Messages about sign-in rules. */
export const signInRuleMessages = {
  allStaff: 'Only accounts that may change every role of staff can change the rule for all staff',
} as const;

/**
 * A role as the rules see it. `without_factor`: accounts with access that hold it and have no second factor yet; null if the
 * caller may not change the role.
 */
const ruledRole = z.object({
  id: z.int(),
  label: z.string(),
  panel: z.enum(panels),
  read_only: z.boolean(),
  without_factor: z.int().nullable(),
});
export type RuledRole = z.output<typeof ruledRole>;

/** A day in the server offset from which a rule applies. */
const day = z.iso
  .date()
  .refine((text) => text >= '2000-01-01')
  .meta({ type: 'string', format: 'date' });
const roleStart = z.strictObject({ id: integer(), from: day });

/**
 * Who needs a second factor: all staff, or the accounts with one of these roles. `role_ids` ascends. `all_staff_from` and
 * `roles_from` name the days from which rules apply; a rule without one applies since it was set.
 */
export const signInRules = z.object({
  all_staff: z.boolean(),
  all_staff_from: day.nullable(),
  role_ids: z.array(z.int()),
  roles_from: z.array(z.object({ id: z.int(), from: day })),
  roles: z.array(ruledRole),
  /** The rule for all staff; `without_factor` counts staff accounts. */
  staff: z.object({ read_only: z.boolean(), without_factor: z.int().nullable() }),
  /** Whether the caller has a second factor. */
  own_factor: z.boolean(),
  version: z.int(),
});
export type SignInRules = z.output<typeof signInRules>;

const rolesAccess = peopleWith('manager_settings_roles');

export const getSignInRules = defineEndpoint({
  number: 181,
  method: 'GET',
  path: 'sign-in-rules',
  summary: 'Who needs a second factor',
  access: rolesAccess,
  answer: { kind: 'data', status: 200, schema: signInRules, etag: true },
});

export const saveSignInRules = defineEndpoint({
  number: 182,
  method: 'PUT',
  path: 'sign-in-rules',
  summary: 'Set who needs a second factor',
  access: rolesAccess,
  recentSignIn: { before: 'write' },
  body: z.strictObject({
    all_staff: z.boolean(),
    role_ids: z
      .array(integer())
      .max(10_000)
      .transform((ids) => [...new Set(ids)].toSorted((a, b) => a - b))
      .meta({ type: 'array', items: { type: 'integer' } }),
    all_staff_from: day.nullable().optional(),
    roles_from: z.array(roleStart).max(10_000).optional(),
  }),
  answer: { kind: 'data', status: 200, schema: signInRules, etag: true },
  rejections: [412],
});

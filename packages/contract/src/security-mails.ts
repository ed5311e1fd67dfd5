import { z } from 'zod';
import { defineEndpoint, peopleAccess } from './endpoint.ts';

/** Events that can take an account from its owner. Their mails cannot be switched off. */
export const requiredSecurityMails = [
  'password_changed',
  'address_changed',
  'factor_removed',
  'recovery_code_used',
  'recovery_codes_renewed',
  'mail_switched_off',
] as const;

/** Events of which the owner can do without a mail. */
export const optionalSecurityMails = ['new_network', 'factor_added', 'token_created'] as const;

/** Events of an account that its owner gets a mail about. */
export const securityMailEvents = [...requiredSecurityMails, ...optionalSecurityMails] as const;
export type SecurityMailEvent = (typeof securityMailEvents)[number];

/** The caller's security mails. `available`: whether any are sent, which needs a mail server and an account that is no demo account. */
const securityMails = z.object({
  available: z.boolean(),
  mails: z.array(z.object({ event: z.enum(securityMailEvents), is_on: z.boolean(), is_required: z.boolean() })),
});
export type SecurityMails = z.output<typeof securityMails>;

export const listSecurityMails = defineEndpoint({
  number: 215,
  method: 'GET',
  path: 'sanctum/security-mails',
  summary: 'Events about which the caller gets a mail',
  access: peopleAccess,
  answer: { kind: 'data', status: 200, schema: securityMails },
});

export const switchSecurityMail = defineEndpoint({
  number: 216,
  method: 'PUT',
  path: 'sanctum/security-mails',
  summary: 'Switch the mails about an event on or off',
  access: peopleAccess,
  recentSignIn: { before: 'write' },
  body: z.strictObject({ event: z.enum(optionalSecurityMails), is_on: z.boolean() }),
  answer: { kind: 'data', status: 200, schema: securityMails },
});

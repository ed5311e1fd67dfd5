import { z } from 'zod';
import { defineEndpoint, publicAccess } from './endpoint.ts';
import { newPassword } from './new-password.ts';
import { panels } from './permissions.ts';
import { signInAnswer } from './session.ts';
import { requiredText } from './text-fields.ts';

export const accountLinkMessages = {
  unknownInvitation: 'This invitation is invalid, was used or has expired. Ask your administrator for a new link',
  unknownReset: 'This link is invalid, was used or has expired. Request a new one',
  hasPassword: 'The account is already in use',
  noInvitation: 'The account has no open invitation',
  demo: 'Demo accounts cannot be invited',
  resetOff: 'Passwords cannot be reset by e-mail here. Contact your administrator',
} as const;

/** How long links work, in hours. */
export const accountLinkHours = { invitation: 72, password_reset: 1 } as const;

const token = requiredText(100);

/** The account as the page of a link shows it. */
export const invitedAccount = z.object({ name: z.string(), email: z.string(), panel: z.enum(panels) });
export type InvitedAccount = z.output<typeof invitedAccount>;

/** A POST, so that the token appears in no address. */
export const showInvitation = defineEndpoint({
  number: 200,
  method: 'POST',
  path: 'sanctum/invitation',
  summary: 'The account of an invitation link',
  access: publicAccess,
  body: z.strictObject({ token }),
  answer: { kind: 'data', status: 200, schema: invitedAccount },
  rejections: [404, 429],
});

/** A POST, so that the token appears in no address. */
export const showPasswordReset = defineEndpoint({
  number: 186,
  method: 'POST',
  path: 'sanctum/reset-password/show',
  summary: 'The account of a link for a forgotten password',
  access: publicAccess,
  body: z.strictObject({ token }),
  answer: { kind: 'data', status: 200, schema: z.object({ email: z.string() }) },
  rejections: [404, 429],
});

const newPasswordBody = z.strictObject({ token, password: newPassword });

export const acceptInvitation = defineEndpoint({
  number: 201,
  method: 'POST',
  path: 'sanctum/accept-invitation',
  summary: 'Set the password of an invited account and sign in',
  access: publicAccess,
  body: newPasswordBody,
  answer: { kind: 'data', status: 200, schema: signInAnswer },
  rejections: [404, 429],
});

export const requestPasswordReset = defineEndpoint({
  number: 202,
  method: 'POST',
  path: 'sanctum/forgot-password',
  summary: 'Mail a link for a new password; the answer is the same for unknown addresses',
  access: publicAccess,
  // No length limit, as in [1]: nothing is sent to a longer address.
  body: z.strictObject({ email: requiredText(Infinity) }),
  answer: { kind: 'empty' },
  rejections: [404, 429],
});

export const resetPassword = defineEndpoint({
  number: 203,
  method: 'POST',
  path: 'sanctum/reset-password',
  summary: 'Set a new password with a mailed link and end all sessions',
  access: publicAccess,
  body: newPasswordBody,
  answer: { kind: 'empty' },
  rejections: [404, 429],
});

export const getPasswordResetOptions = defineEndpoint({
  number: 204,
  method: 'GET',
  path: 'sanctum/forgot-password',
  summary: 'Whether forgotten passwords can be reset by e-mail',
  access: publicAccess,
  answer: { kind: 'data', status: 200, schema: z.object({ available: z.boolean() }) },
});

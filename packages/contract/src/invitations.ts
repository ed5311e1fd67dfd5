import { z } from 'zod';
import { account, buyer, createAccountBody } from './accounts.ts';
import { anyPermission, defineEndpoint, peopleWith } from './endpoint.ts';
import { idParams } from './listing.ts';

/**
 * `none`: the account is in use. `pending`: the link works until `expires_at`. `withdrawn`: the account cannot be used yet and has
 * no link. `mail` is the state of the mail with the link: null if the link was shown instead.
 */
export const invitation = z.object({
  state: z.enum(['none', 'pending', 'expired', 'withdrawn']),
  expires_at: z.string().nullable(),
  mail: z.enum(['queued', 'sent', 'retrying', 'failed']).nullable(),
});
export type Invitation = z.output<typeof invitation>;

/** A new invitation. `link` is shown this once; null if it is mailed. */
export const newInvitation = invitation.extend({ link: z.string().nullable() });
export type NewInvitation = z.output<typeof newInvitation>;

/** Body of [195] and [196]: that of [47] and [57] without a password. */
const inviteBody = createAccountBody.omit({ password: true });
export type InviteBody = z.output<typeof inviteBody>;

export const inviteUser = defineEndpoint({
  number: 195,
  method: 'POST',
  path: 'users/invite',
  summary: 'Create a staff account whose owner sets the password through a link',
  access: anyPermission('manager_user_create'),
  recentSignIn: { before: 'write' },
  body: inviteBody,
  validatesValues: true,
  answer: { kind: 'data', status: 201, schema: account.extend({ invitation: newInvitation }) },
  rejections: [404],
});

export const inviteBuyer = defineEndpoint({
  number: 196,
  method: 'POST',
  path: 'buyers/invite',
  summary: 'Create a buyer who sets the password through a link',
  access: anyPermission('manager_user_create', 'manager_user_buyer_create'),
  recentSignIn: { before: 'write' },
  body: inviteBody,
  validatesValues: true,
  answer: { kind: 'data', status: 201, schema: buyer.extend({ invitation: newInvitation }) },
  rejections: [404],
});

export const renewInvitation = defineEndpoint({
  number: 197,
  method: 'POST',
  path: 'users/{id}/invitation',
  summary: 'Make a new invitation link for an account of either panel; the old one stops',
  access: peopleWith('manager_user_edit'),
  recentSignIn: { before: 'write' },
  params: idParams,
  answer: { kind: 'data', status: 201, schema: newInvitation },
  rejections: [409],
});

export const withdrawInvitation = defineEndpoint({
  number: 198,
  method: 'DELETE',
  path: 'users/{id}/invitation',
  summary: 'Withdraw the invitation of an account of either panel',
  access: peopleWith('manager_user_edit'),
  recentSignIn: { before: 'write' },
  params: idParams,
  answer: { kind: 'empty' },
  rejections: [409],
});

export const getInvitation = defineEndpoint({
  number: 199,
  method: 'GET',
  path: 'users/{id}/invitation',
  summary: 'State of the invitation of an account of either panel',
  access: peopleWith('manager_user_edit'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: invitation },
});

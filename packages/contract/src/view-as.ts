import { z } from 'zod';
import { defineEndpoint, peopleAccess, peopleWith } from './endpoint.ts';
import { idParams } from './listing.ts';
import { signedIn } from './session.ts';

/** Longest time of a view in minutes. It ends earlier with the session that began it. */
export const viewAsMinutes = 15;

export const viewAsMessages = {
  readOnly: 'Read only: you are viewing as somebody else. Stop viewing to make changes and downloads.',
  isStarting: 'Another view of this session is being started. Try again.',
  notShown: 'Not shown while you are viewing as somebody else.',
} as const;

/** Data of the 403 to a write or a download of a view. */
export const viewAsRejection = z.object({ view_as: z.literal('read_only') });

/** Subject of a view: a role, or an account of either panel. */
export const viewedSubject = z.object({ kind: z.enum(['role', 'account']), id: z.int(), name: z.string() });
export type ViewedSubject = z.output<typeof viewedSubject>;

/** A begun view: a token for reads only, with the rights that the reader and the subject both have. `user` is nobody's account: its id is 0. */
export const begunView = z.object({ ...signedIn.shape, subject: viewedSubject });
export type BegunView = z.output<typeof begunView>;

const viewAs = {
  method: 'POST',
  access: peopleWith('manager_settings_roles'),
  recentSignIn: { before: 'call' },
  params: idParams,
  answer: { kind: 'data', status: 201, schema: begunView },
  rejections: [409],
} as const;

export const viewAsRole = defineEndpoint({
  ...viewAs,
  number: 270,
  path: 'roles/{id}/view-as',
  summary: 'View the console as a role, read-only',
});

export const viewAsAccount = defineEndpoint({
  ...viewAs,
  number: 271,
  path: 'users/{id}/view-as',
  summary: 'View the console as an account of either panel, read-only',
});

export const stopViewAs = defineEndpoint({
  number: 272,
  method: 'DELETE',
  path: 'view-as',
  summary: 'End the view that the current session began',
  access: peopleAccess,
  recentSignIn: null,
  answer: { kind: 'empty' },
  rejections: [404],
});

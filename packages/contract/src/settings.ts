import { z } from 'zod';
import { defineEndpoint, publicAccess } from './endpoint.ts';

/** Which ways of signing in the login page offers (AUTH-003). */
export const loginMethods = ['email', 'google', 'both'] as const;

/** What the console needs to know before anybody signed in (api [10], O8). */
export const settings = z.object({
  appTitle: z.string(),
  productName: z.string(),
  version: z.string(),
  loginMethods: z.enum(loginMethods),
  hideDocs: z.boolean(),
  hideOnlyCf: z.boolean(),
  buyerPanelUrl: z.string().nullable(),
});
export type Settings = z.output<typeof settings>;

export const getSettings = defineEndpoint({
  number: 10,
  method: 'GET',
  path: 'settings',
  summary: 'Settings that the console reads at run time',
  access: publicAccess,
  answer: { kind: 'data', status: 200, schema: settings },
});

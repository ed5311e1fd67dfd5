import { z } from 'zod';
import { defineEndpoint, publicAccess } from './endpoint.ts';

/** Sign-in methods of the login page. */
export const loginMethods = ['email', 'google', 'both'] as const;

/** Settings that the console needs before sign-in. */
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

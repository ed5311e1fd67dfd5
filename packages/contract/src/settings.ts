import { z } from 'zod';
import { defineEndpoint, publicAccess, sessionAccess } from './endpoint.ts';
import { queryBoolean } from './listing.ts';

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

/** The running version: that of package.json, and the commit that it was built from, 40 hexadecimal digits. Null if the installation does not say. */
export const build = z.object({ version: z.string(), commit: z.string().nullable() });
export type Build = z.output<typeof build>;

export const getBuild = defineEndpoint({
  number: 360,
  method: 'GET',
  path: 'build',
  summary: 'Version and commit that run',
  access: sessionAccess,
  answer: { kind: 'data', status: 200, schema: build },
});

/**
 * Share of the demo's past traffic that is loaded, from 0 to 1; null while none is being loaded. `has_inbox`, with the parameter `inbox`:
 * whether the demo is on, which keeps messages in an inbox.
 */
export const demoProgress = z.object({ loaded: z.number().nullable(), has_inbox: z.boolean().optional() });

export const getDemoProgress = defineEndpoint({
  number: 405,
  method: 'GET',
  path: 'demo',
  summary: "How much of the demo's past traffic is loaded",
  access: sessionAccess,
  query: z.object({ inbox: queryBoolean() }),
  answer: { kind: 'data', status: 200, schema: demoProgress },
});

import { z } from 'zod';
import { defineEndpoint, sessionAccess } from './endpoint.ts';
import { single } from './listing.ts';
import { plainText, trimText } from './text-fields.ts';
import { viewListNames } from './saved-views.ts';
import { panels } from './permissions.ts';

/** The most results of one kind. */
export const foundPerKind = 6;

/** Maximum length of a text to search for. */
export const longestSearch = 100;

const namedFields = { id: z.int(), name: z.string() };

/** Results of a search, by kind. Each has the fields that its page needs. */
export const foundItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('app'), ...namedFields, domain: z.string(), bundle: z.string(), is_archived: z.boolean() }),
  z.object({ kind: z.literal('user'), ...namedFields, email: z.string() }),
  z.object({ kind: z.literal('buyer'), ...namedFields, email: z.string() }),
  z.object({ kind: z.literal('server'), ...namedFields, url: z.string() }),
  z.object({ kind: z.literal('role'), ...namedFields, panel: z.enum(panels) }),
  z.object({ kind: z.literal('stream'), uid: z.string(), name: z.string(), app: z.object(namedFields) }),
  z.object({ kind: z.literal('view'), ...namedFields, list: z.enum(viewListNames), query: z.string(), owner: z.string() }),
]);
export type FoundItem = z.output<typeof foundItem>;

/**
 * Finds what the caller may open by a part of its name: at most six of each kind, those whose name begins with the text
 * first. Tolerates one typo in texts of four characters or more if nothing else is found; only the first 24 count then.
 */
export const searchConsole = defineEndpoint({
  number: 157,
  method: 'GET',
  path: 'search',
  summary: 'Apps, accounts, servers, roles, streams and saved views by a part of their name',
  access: sessionAccess,
  query: z.object({ q: single(plainText(longestSearch).overwrite(trimText).default('')) }),
  answer: { kind: 'data', status: 200, schema: z.object({ items: z.array(foundItem), is_approximate: z.boolean() }) },
});

import { z } from 'zod';
import { anyPermission, defineEndpoint, publicAccess } from './endpoint.ts';

/** What may be encoded, and what may be sent to the host of an app (api [70], [73]). */
export const requestLimits = {
  /** UTF-8 bytes of the JSON text. */
  jsonBytes: 262_144,
  /** Lists and objects within each other; a plain value has depth 0. */
  depth: 64,
  /** Bytes of the body of [73]. */
  bodyBytes: 262_144,
} as const;

/** Messages of the developer tools; nothing tells one bad string from another (api [71]). */
export const devToolsMessages = {
  missing: 'The data field is required.',
  tooLarge: 'The data field is too large.',
  tooDeep: 'The data field is nested too deeply.',
  undecodable: 'The string cannot be decoded',
} as const;

/** Whether a JSON value holds lists and objects nested deeper than may be; takes any depth without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === requestLimits.depth) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The message that says why a JSON value cannot be encoded; null when it can. Only an absent value is missing (O30). */
export function encodingProblem(value: unknown): string | null {
  if (value === undefined) return devToolsMessages.missing;
  // Asked first: what is nested very deeply cannot be written as text.
  if (isTooDeep(value)) return devToolsMessages.tooDeep;
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  return bytes > requestLimits.jsonBytes ? devToolsMessages.tooLarge : null;
}

const encodable = z.unknown().superRefine((value, context) => {
  const message = encodingProblem(value);
  if (message !== null) context.addIssue({ code: 'custom', message, params: { shape: true } });
});

const encryptionAccess = anyPermission('manager_dev_request_encryption');

export const encodeRequest = defineEndpoint({
  number: 70,
  method: 'POST',
  path: 'dev/encode',
  summary: 'Encode a JSON value as devices send it; every call gives another string',
  access: encryptionAccess,
  body: z.strictObject({ data: encodable }),
  answer: { kind: 'data', status: 200, schema: z.string() },
});

export const decodeRequest = defineEndpoint({
  number: 71,
  method: 'POST',
  path: 'dev/decode',
  summary: 'Decode a string; white space around it is ignored',
  access: encryptionAccess,
  body: z.strictObject({ data: z.string().min(1) }),
  answer: { kind: 'data', status: 200, schema: z.unknown() },
});

export const getMobileDocs = defineEndpoint({
  number: 72,
  method: 'GET',
  path: 'docs/mobile',
  summary: 'The guide for developers of apps, as a page',
  access: anyPermission('manager_dev_docs'),
  answer: { kind: 'raw', contentType: 'text/html' },
});

/** What the host of an app says of a request it could decode, encoded like the request (api [73]). */
export type DevEcho = { domain: string; received: unknown; time: string };

export const sendDevRequest = defineEndpoint({
  number: 73,
  method: 'POST',
  path: 'dev',
  summary: 'Try a request: answers at the domains of apps only, text in and encoded text out',
  access: publicAccess,
  bodyForm: 'text',
  body: z.string(),
  answer: { kind: 'data', status: 200, schema: z.string() },
  refusals: [404, 429],
});

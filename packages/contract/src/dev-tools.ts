import { z } from 'zod';
import { anyPermission, defineEndpoint, publicAccess } from './endpoint.ts';
import { jsonDepth, JsonText, writeExactly } from './exact-json.ts';

/** Limits of encoded values and of requests to the host of an app. */
export const requestLimits = {
  /** UTF-8 bytes of the JSON text. */
  jsonBytes: 262_144,
  /** Nesting of lists and objects. A plain value has depth 0. */
  depth: 64,
  /** Body size of [73] in bytes. */
  bodyBytes: 262_144,
} as const;

/** Messages of the developer tools. All decoding failures have the same message. */
export const devToolsMessages = {
  missing: 'The data field is required.',
  tooLarge: 'The data field is too large.',
  tooDeep: 'The data field is nested too deeply.',
  undecodable: 'The string cannot be decoded',
} as const;

/** Whether a JSON value exceeds the nesting limit. Works without recursion, so any depth is safe. */
export function isTooDeep(value: unknown): boolean {
  if (value instanceof JsonText) return jsonDepth(value.text) > requestLimits.depth;
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

/** Returns the message why a JSON value cannot be encoded, else null. Only undefined counts as missing. */
export function encodingProblem(value: unknown): string | null {
  if (value === undefined) return devToolsMessages.missing;
  // Checked first, because very deep values cannot be serialised.
  if (isTooDeep(value)) return devToolsMessages.tooDeep;
  const bytes = new TextEncoder().encode(writeExactly(value)).length;
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
  summary: 'Encode a JSON value as devices do; every call returns a different string',
  access: encryptionAccess,
  recentSignIn: null,
  body: z.strictObject({ data: encodable }),
  dataFields: ['data'],
  answer: { kind: 'data', status: 200, schema: z.string() },
});

export const decodeRequest = defineEndpoint({
  number: 71,
  method: 'POST',
  path: 'dev/decode',
  summary: 'Decode a string; white space around it is ignored',
  access: encryptionAccess,
  recentSignIn: null,
  body: z.strictObject({ data: z.string().min(1) }),
  answer: { kind: 'data', status: 200, schema: z.unknown(), isData: true },
});

export const getMobileDocs = defineEndpoint({
  number: 72,
  method: 'GET',
  path: 'docs/mobile',
  summary: 'Guide for app developers, as a page',
  access: anyPermission('manager_dev_docs'),
  answer: { kind: 'raw', contentType: 'text/html' },
});

/** Response of an app host to a decoded request, encoded like the request. */
export type DevEcho = { domain: string; received: unknown; time: string };

export const sendDevRequest = defineEndpoint({
  number: 73,
  method: 'POST',
  path: 'dev',
  summary: 'Test request to an app host: text in, encoded text out; on app domains only',
  access: publicAccess,
  bodyForm: 'text',
  body: z.string(),
  answer: { kind: 'data', status: 200, schema: z.string() },
  rejections: [404, 429],
});

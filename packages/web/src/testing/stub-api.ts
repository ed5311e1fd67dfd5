import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { rejectionStatuses, type Endpoint } from '@switchyard/contract/endpoint';
import { failure, pagination } from '@switchyard/contract/envelope';
import { vi } from 'vitest';
import { z } from 'zod';

/** A request as the console sends it. */
type SentInit = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly body?: string | FormData;
};
type Fields = Readonly<Record<string, unknown>>;
type Exchange = { readonly endpoint: Endpoint; readonly path: string; readonly init: SentInit; readonly response: Response };

let problems: string[] = [];

/** The last known state of each entity, by path. */
let storedFields = new Map<string, Fields>();

/**
 * Stubs the API. Every answer is validated against the contract; an answer that the API could not give fails the test
 * at its end (`takeContractProblems`). Lists have no saved views and charts no marks, except where the stub answers for these itself.
 */
export function stubApi(
  answer: (url: string, init: SentInit) => Response | Promise<Response>,
  { answersViews = false, answersMarks = false }: { answersViews?: boolean; answersMarks?: boolean } = {},
): void {
  storedFields = new Map();
  vi.stubGlobal('fetch', async (url: string, init: SentInit) => {
    const asksForViews = init.method === 'GET' && url.startsWith('/api/views?');
    const asksForMarks = init.method === 'GET' && /^\/api\/(?:marks|apps\/\d+\/history\/traffic)\?/.test(url);
    const response =
      asksForViews && !answersViews ? withoutViews() : asksForMarks && !answersMarks ? withoutMarks() : await answer(url, init);
    const foundProblems = await problemsOf(new URL(url, 'http://console'), init, response);
    problems.push(...foundProblems.map((problem) => `${init.method} ${url}: ${problem}`));
    return response;
  });
}

function withoutViews(): Response {
  return Response.json({ success: true, data: { views: [], roles: [] } });
}

function withoutMarks(): Response {
  return Response.json({ success: true, data: [] });
}

/** Returns and clears the contract problems found since the last call, one line each. */
export function takeContractProblems(): string[] {
  const foundProblems = problems;
  problems = [];
  return foundProblems;
}

async function problemsOf(url: URL, init: SentInit, response: Response): Promise<string[]> {
  const path = url.pathname.replace(/^\/api\//, '');
  const endpoint = endpointAt(init.method, path);
  if (endpoint === undefined) return ['is no call of the API'];
  // A stream is not read ahead of the page.
  if (response.ok && endpoint.answer.kind === 'raw') return [];
  const text = await response.clone().text();
  const exchange = { endpoint, path, init, response };
  return response.ok ? successProblems(exchange, text) : rejectionProblems(exchange, text);
}

function pathPattern({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** The endpoint of a path; a fixed path has precedence over one with parameters. */
function endpointAt(method: string, path: string): Endpoint | undefined {
  const candidates = allEndpoints.filter((endpoint) => endpoint.method === method && pathPattern(endpoint).test(path));
  return candidates.find((endpoint) => endpoint.path === path) ?? candidates[0];
}

function successProblems({ endpoint, path, init, response }: Exchange, text: string): string[] {
  const { answer } = endpoint;
  const status = answer.kind === 'empty' ? 204 : answer.kind === 'data' ? answer.status : 200;
  if (answer.kind === 'raw') return [];
  if (response.status !== status) return [`answers ${response.status}, the API ${status}`];
  if (answer.kind === 'empty') return text === '' ? [] : ['has a body'];
  const body = parseJson(text);
  const schema =
    answer.kind === 'data'
      ? z.strictObject({ success: z.literal(true), data: answer.schema })
      : z.strictObject({ success: z.literal(true), data: answer.kind === 'paged-data' ? answer.schema : z.array(answer.row), pagination });
  const unfit = schemaProblems(schema, body);
  if (unfit.length > 0 || !isFields(body)) return unfit;
  return [
    ...sentBodyProblems(endpoint, init),
    ...valueProblems(body['data']),
    ...writtenProblems(endpoint, path, { init, data: body['data'] }),
  ];
}

/** Parsing drops unknown keys, so the remaining keys are compared. */
function schemaProblems(schema: z.ZodType, value: unknown): string[] {
  const validation = schema.safeParse(value);
  if (!validation.success) return validation.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return unknownKeys(value, validation.data, '');
}

function unknownKeys(givenValue: unknown, parsedValue: unknown, at: string): string[] {
  if (Array.isArray(givenValue) && Array.isArray(parsedValue))
    return givenValue.flatMap((item, index) => unknownKeys(item, parsedValue[index], `${at}.${index}`));
  if (!isFields(givenValue) || !isFields(parsedValue)) return [];
  return Object.entries(givenValue).flatMap(([key, value]) =>
    key in parsedValue ? unknownKeys(value, parsedValue[key], `${at}.${key}`) : [`${at}.${key} is no key of the API`],
  );
}

/** The body must match the schema of the endpoint. */
function sentBodyProblems({ body: schema, bodyForm = 'json' }: Endpoint, { body }: SentInit): string[] {
  if (schema === undefined || bodyForm !== 'json' || typeof body !== 'string') return [];
  return schemaProblems(schema, parseJson(body)).map((problem) => `accepts a body that the API rejects: ${problem}`);
}

const sortedKeys = new Set(['permission_ids', 'appIds', 'app_ids']);

/** Rules that the schemas cannot express. */
function valueProblems(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(valueProblems);
  if (!isFields(value)) return [];
  const label = value['is_system'] === false && value['label'] !== value['name'] ? ['the label of a custom role is its name'] : [];
  const inside = Object.entries(value).flatMap(([key, item]) => {
    const isUnsorted = sortedKeys.has(key) && !isSame(item, inOrder(item));
    return [...(isUnsorted ? [`${key} is not sorted`] : []), ...valueProblems(item)];
  });
  return [...label, ...inside];
}

/** The answer of a write must equal what was sent, with a new version if anything changed. */
function writtenProblems(endpoint: Endpoint, path: string, { init: { body }, data }: { init: SentInit; data: unknown }): string[] {
  if (!isFields(data)) return [];
  const before = storedFields.get(path);
  storedFields.set(path, data);
  // As the API reads it, e.g. with names of a panel that mean the same.
  const sentBody = typeof body === 'string' ? endpoint.body?.safeParse(parseJson(body)).data : undefined;
  if (!isFields(sentBody)) return [];
  // Secrets are never sent back.
  const both = Object.keys(sentBody).filter((key) => key in data && data[key] !== null);
  const lostKeys = both.filter((key) => !isSame(inOrder(sentBody[key]), inOrder(data[key]))).map((key) => `${key} is not what was sent`);
  if (before === undefined || typeof data['version'] !== 'number' || typeof before['version'] !== 'number') return lostKeys;
  const isChanged = both.some((key) => !isSame(inOrder(before[key]), inOrder(data[key])));
  const isOld = data['version'] < before['version'] || (isChanged && data['version'] === before['version']);
  return isOld ? [...lostKeys, `version ${data['version']} after ${before['version']}`] : lostKeys;
}

function rejectionProblems({ endpoint, response: { status } }: Exchange, text: string): string[] {
  if (!rejectionStatuses(endpoint).includes(status)) return [`answers ${status}, which the API never does here`];
  const body = parseJson(text);
  const validation = z.strictObject(failure.shape).safeParse(body);
  if (!validation.success) return validation.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const { errors, data } = validation.data;
  if (status === 422) return isSame(data, { errors }) && errors !== undefined ? [] : ['lacks errors and data.errors'];
  if (status === 412 && endpoint.answer.kind === 'data') return schemaProblems(z.strictObject({ current: endpoint.answer.schema }), data);
  return errors === undefined ? [] : [`has errors at ${status}`];
}

/** Trimmed text; lists sorted and without duplicates, as the API stores them. */
function inOrder(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (!Array.isArray(value)) return value;
  return [...new Set(value)].sort((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import { allEndpoints, callAreas } from '@switchyard/contract/all-endpoints';
import type { Endpoint } from '@switchyard/contract/endpoint';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from './open-api-document.ts';

const document = openApiDocument(callAreas, { title: 'Switchyard', version: '1.0.0' });
const reference = z.strictObject({ $ref: z.string() });
const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query']),
  required: z.boolean(),
  schema: z.record(z.string(), z.unknown()),
  example: z.unknown().optional(),
});
const media = z.object({ schema: z.record(z.string(), z.unknown()), example: z.unknown().optional() });
const response = z.object({
  description: z.string().min(1),
  headers: z.record(z.string(), reference),
  content: z.record(z.string(), media).optional(),
});
const operation = z.object({
  operationId: z.string(),
  summary: z.string().min(1),
  tags: z.array(z.string()).length(1),
  description: z.string().min(1),
  'x-call': z.int(),
  'x-permissions': z.array(z.string()).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.union([parameter, reference])),
  requestBody: z.object({ required: z.boolean(), content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), z.unknown()),
});
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((value) => operation.parse(value)));
const validator = new Ajv2020({ strict: false, formats: { binary: true } });
validator.addSchema(document, 'document');
const validators = new Map<string, ValidateFunction>();

function call(number: number) {
  const callWithNumber = operations.find((candidate) => candidate['x-call'] === number);
  if (!callWithNumber) throw new Error(`Call ${number} is missing`);
  return callWithNumber;
}

/** The target of a reference within the document, or the value itself. */
function resolve(value: unknown): unknown {
  const parsedReference = reference.safeParse(value);
  if (!parsedReference.success) return value;
  return parsedReference.data.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => z.record(z.string(), z.unknown()).parse(node)[key], document);
}

function answer(number: number, status: number) {
  return response.parse(resolve(call(number).responses[status]));
}

function headers(number: number): string[] {
  return call(number)
    .parameters.flatMap((entry) => ('$ref' in entry ? [z.object({ name: z.string() }).parse(resolve(entry)).name] : []))
    .toSorted();
}

/** Why a value does not fit a schema of the document; null when it does. */
function misfit(schema: Readonly<Record<string, unknown>>, value: unknown): string | null {
  const local = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
  const validate = validators.get(local) ?? validator.compile(JSON.parse(local));
  validators.set(local, validate);
  return validate(value) ? null : validator.errorsText(validate.errors);
}

describe('OpenAPI document (api [98])', () => {
  it('[API-003] describes every call of the contract once', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operations.map((one) => one['x-call']).toSorted((a, b) => a - b)).toEqual(
      allEndpoints.map(({ number }) => number).toSorted((a, b) => a - b),
    );
    expect(new Set(operations.map((one) => one.operationId)).size).toBe(operations.length);
  });

  it('[API-087] has names that stay different in generated clients, statuses without ranges, and binary files as such', () => {
    const asIdentifier = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    const repeated = (names: readonly string[]) => names.filter((name, at) => names.map(asIdentifier).indexOf(asIdentifier(name)) !== at);
    expect(repeated(operations.map(({ operationId }) => operationId))).toEqual([]);
    for (const { operationId, parameters, responses } of operations) {
      const names = parameters.map((entry) => z.object({ name: z.string() }).parse(resolve(entry)).name);
      expect({ operationId, repeated: repeated(names) }).toEqual({ operationId, repeated: [] });
      expect({ operationId, ranges: Object.keys(responses).filter((status) => !/^\d{3}$/.test(status)) }).toEqual({
        operationId,
        ranges: [],
      });
    }
    const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    expect(answer(76, 200).content?.[workbook]?.schema).toEqual({ type: 'string', format: 'binary' });
    expect(answer(25, 200).content?.['text/csv']?.schema).toEqual({ type: 'string' });
  });

  it('[API-086] says who may call: anybody, accounts with their permissions, traffic servers', () => {
    expect(call(1).security).toEqual([]);
    expect(call(4)).toMatchObject({ security: [{ session: [] }, { apiToken: [] }], description: 'Needs a signed-in account.' });
    expect(call(5)).toMatchObject({ security: [{ session: [] }], description: 'Needs a signed-in account. Does not serve API tokens.' });
    expect(call(17)).toMatchObject({ security: [{ session: [] }, { apiToken: [] }], 'x-permissions': ['manager_app_statistics'] });
    expect(call(12).description).toBe('Needs `manager_app_create`. Needs a recent sign-in (for userIds).');
    expect(call(90).security).toEqual([{ trafficServer: [] }]);
    expect(Object.keys(call(17).responses)).toEqual(['200', '401', '403', '422', '429', '500', '503']);
  });

  it('[API-011] documents the parameters with their values and limits', () => {
    const parameters = new Map(call(11).parameters.flatMap((item) => ('name' in item ? [[item.name, item.schema] as const] : [])));
    expect(parameters.get('page')).toEqual({ type: 'integer', minimum: 1, default: 1 });
    expect(parameters.get('limit')).toEqual({ type: 'integer', minimum: 1, maximum: 200, default: 20 });
    expect(parameters.get('status')).toMatchObject({ type: 'string', enum: ['active', 'deleted', 'all'] });
    expect(parameters.get('isCache')).toEqual({ type: 'boolean' });
    expect(call(15).parameters).toContainEqual(expect.objectContaining({ name: 'id', in: 'path', required: true, example: '12' }));
    expect(call(34).parameters).toContainEqual(expect.objectContaining({ name: 'search', required: true }));
    expect(call(33).parameters).toContainEqual(expect.objectContaining({ name: 'search', required: false }));
    expect(call(34).parameters).toContainEqual(expect.objectContaining({ name: 'orderBy', required: false }));
  });

  it('[API-018] documents the choices and the limits of fields that are sent', () => {
    const { schema } = call(12).requestBody?.content['application/json'] ?? { schema: {} };
    expect(schema).toMatchObject({
      required: ['name', 'bundle', 'domain', 'vertical'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 255 },
        vertical: { enum: ['bet', 'casino', 'social_casino', 'fantasy', 'finance'] },
        cloak_mode: { enum: ['default', 'none', 'custom', 'magic_checker'] },
        proxy_cache_seconds: { enum: [300, 600, 900, 3600, 86_400, 604_800, 2_592_000] },
        userIds: { maxItems: 1000, items: { type: 'integer' } },
      },
    });
  });

  it('[API-003] names the headers that make requests traceable, writes safe and polling cheap', () => {
    expect(headers(4)).toEqual(['x-request-id']);
    expect(headers(14)).toEqual(['If-Match', 'x-request-id']);
    expect(headers(94)).toEqual(['If-None-Match', 'x-request-id']);
    expect(Object.keys(answer(13, 200).headers)).toEqual(['x-request-id', 'etag']);
    expect(Object.keys(answer(25, 200).headers)).toEqual(['x-request-id', 'content-disposition']);
    expect(Object.keys(answer(1, 429).headers)).toEqual(['x-request-id', 'retry-after']);
    expect(Object.keys(answer(1, 401).headers)).toEqual(['x-request-id', 'www-authenticate']);
    expect(answer(94, 304).content).toBeUndefined();
  });

  it('[API-002, API-004] names the form of every body, whatever it is', () => {
    expect(Object.keys(call(15).responses)).toContain('204');
    expect(Object.keys(call(90).requestBody?.content ?? {})).toEqual(['application/json', 'application/x-ndjson']);
    expect(Object.keys(call(21).requestBody?.content ?? {})).toEqual(['multipart/form-data']);
    expect(Object.keys(call(73).requestBody?.content ?? {})).toEqual(['text/plain', 'application/json']);
    const forms = [25, 35, 72, 76, 96, 97].map((number) => Object.keys(answer(number, 200).content ?? {}));
    expect(forms.flat()).toEqual([
      'text/csv',
      'text/event-stream',
      'text/html',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/json',
      'text/plain; version=0.0.4',
    ]);
  });

  it('[API-003] gives every error its own form', () => {
    const example = (number: number, status: number) => answer(number, status).content?.['application/json']?.example;
    expect(example(11, 403)).toEqual({ success: false, message: 'You have no permission for this action' });
    expect(example(14, 412)).toMatchObject({ message: 'Changed by someone else', data: { current: { id: 12, version: 4 } } });
    expect(example(11, 500)).toMatchObject({ message: 'Something went wrong', request_id: expect.any(String) });
    expect(example(90, 422)).toMatchObject({ message: 'Every row was rejected.', data: { rejected: [{ index: 0 }] } });
    expect(misfit(answer(11, 403).content?.['application/json']?.schema ?? {}, { success: false, message: 'No', hint: 1 })).not.toBeNull();
    for (const { responses } of operations) {
      const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      for (const [status, responseOrReference] of failures)
        expect([status, Object.keys(response.parse(resolve(responseOrReference)).content ?? {})]).toEqual([status, ['application/json']]);
    }
  });

  it.each(allEndpoints.map((endpoint) => [`[${endpoint.number}] ${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '[API-003] %s shows examples that fit',
    (_title, endpoint) => {
      const { requestBody, responses, parameters } = call(endpoint.number);
      const schemas = Object.values(responses).flatMap((value) => Object.values(response.parse(resolve(value)).content ?? {}));
      const examples = [
        ...schemas,
        ...Object.values(requestBody?.content ?? {}),
        ...parameters.flatMap((one) => ('schema' in one ? [one] : [])),
      ];
      for (const { schema, example } of examples.filter((one) => one.example !== undefined)) expect(misfit(schema, example)).toBeNull();
      const [success] = Object.values(responses);
      const json = response.parse(resolve(success)).content?.['application/json'];
      // The description of the API itself is its own example.
      expect(json === undefined || json.example !== undefined || endpoint.number === 98).toBe(true);
      expect(refusedExample(endpoint, requestBody?.content['application/json']?.example)).toBeUndefined();
    },
  );

  it('[API-003] every reference leads somewhere, and nothing is left that JSON cannot hold', () => {
    const text = JSON.stringify(document);
    const references = new Set([...text.matchAll(/"\$ref":"(#\/[^"]+)"/g)].map((match) => match[1] ?? ''));
    expect(references.size).toBeGreaterThan(15);
    for (const $ref of references) expect([$ref, typeof resolve({ $ref })]).toEqual([$ref, 'object']);
    expect(JSON.parse(text)).toEqual(document);
    expect(text).not.toContain('$schema');
  });
});

/** The error of the contract's own schema about the example of a body; undefined if it is valid. */
function refusedExample({ body, bodyForm = 'json' }: Endpoint, example: unknown): unknown {
  return body === undefined || bodyForm === 'multipart' ? undefined : body.safeParse(example).error?.issues;
}

describe('OpenAPI document and linters', () => {
  it('[API-003] keeps their default rules: licence, contact, tags in words, an error for every call, no needless slash', () => {
    const about = z.object({
      info: z.object({ license: z.object({ name: z.literal('MIT') }), contact: z.object({ name: z.string().min(1) }) }),
      tags: z.array(z.object({ name: z.string(), description: z.string().min(1) })),
    });
    const { tags } = about.parse(document);
    expect(new Set(operations.flatMap((one) => one.tags))).toEqual(new Set(tags.map(({ name }) => name)));
    const withoutFailure = operations.filter(({ responses }) => !Object.keys(responses).some((status) => status.startsWith('4')));
    expect(withoutFailure).toEqual([]);
    // The specification demands these two.
    const pathsWithSlash = Object.keys(document.paths).filter((path) => path.endsWith('/'));
    expect(pathsWithSlash).toEqual([expect.stringMatching(/\/\{date\}\/download\/$/), expect.stringMatching(/\/\{date\}\/download\/$/)]);
  });

  it('[API-003] defines every property that it requires', () => {
    expect(undefinedProperties(document, '#')).toEqual([]);
    expect(undefinedProperties({ type: 'object', required: ['a'], properties: {} }, '#')).toEqual(['#/a']);
  });
});

/** Where an object of a schema requires a property that it does not define. */
function undefinedProperties(node: unknown, place: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const schema = z.object({
    type: z.literal('object'),
    required: z.array(z.string()),
    properties: z.record(z.string(), z.unknown()).optional(),
  });
  const { data } = schema.safeParse(node);
  const own = (data?.required ?? []).filter((name) => data?.properties?.[name] === undefined).map((name) => `${place}/${name}`);
  return [...own, ...Object.entries(node).flatMap(([key, child]) => undefinedProperties(child, `${place}/${key}`))];
}

import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from './open-api-document.ts';

const document = openApiDocument(allEndpoints, { title: 'Switchyard', version: '1.0.0' });
const operation = z.object({
  operationId: z.string(),
  summary: z.string().min(1),
  'x-call': z.int(),
  'x-permissions': z.array(z.string()).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z
    .array(z.object({ name: z.string(), in: z.enum(['path', 'query']), required: z.boolean(), schema: z.record(z.string(), z.unknown()) }))
    .optional(),
  requestBody: z.object({ content: z.record(z.string(), z.unknown()) }).optional(),
  responses: z.record(z.string(), z.unknown()),
});
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((value) => operation.parse(value)));

function call(number: number) {
  const found = operations.find((candidate) => candidate['x-call'] === number);
  if (!found) throw new Error(`Call ${number} is missing`);
  return found;
}

describe('OpenAPI document (api [98])', () => {
  it('[API-003] describes every call of the contract once', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operations.map((found) => found['x-call']).sort((a, b) => a - b)).toEqual(
      allEndpoints.map(({ number }) => number).sort((a, b) => a - b),
    );
    expect(new Set(operations.map((found) => found.operationId)).size).toBe(operations.length);
  });

  it('[API-086] says who may call: anybody, accounts with their permissions, traffic servers', () => {
    expect(call(1).security).toEqual([]);
    expect(call(4).security).toEqual([{ session: [] }]);
    expect(call(17)).toMatchObject({ security: [{ session: [] }], 'x-permissions': ['manager_app_statistics'] });
    expect(call(90).security).toEqual([{ trafficServer: [] }]);
    expect(Object.keys(call(17).responses)).toEqual(expect.arrayContaining(['200', '401', '403', '422', '500', '503']));
  });

  it('[API-011] tells the parameters with their values and limits', () => {
    const parameters = new Map(call(11).parameters?.map((parameter) => [parameter.name, parameter.schema]));
    expect(parameters.get('page')).toMatchObject({ type: 'integer', minimum: 1 });
    expect(parameters.get('status')).toMatchObject({ type: 'string', enum: ['active', 'deleted', 'all'] });
    expect(parameters.get('isCache')).toEqual({ type: 'boolean' });
    expect(call(15).parameters).toEqual([{ name: 'id', in: 'path', required: true, schema: expect.objectContaining({ type: 'string' }) }]);
  });

  it('[API-003] every reference leads somewhere, and nothing is left that JSON cannot hold', () => {
    const text = JSON.stringify(document);
    const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? ''));
    expect(references.size).toBeGreaterThan(5);
    for (const reference of references) {
      const target = reference.split('/').reduce<unknown>((node, key) => z.record(z.string(), z.unknown()).parse(node)[key], document);
      expect([reference, typeof target]).toEqual([reference, 'object']);
    }
    expect(JSON.parse(text)).toEqual(document);
    expect(text).not.toContain('$schema');
  });

  it('[API-004] an empty answer has status 204, ingestion takes JSON and lines', () => {
    expect(Object.keys(call(15).responses)).toContain('204');
    expect(Object.keys(call(90).requestBody?.content ?? {})).toEqual(['application/json', 'application/x-ndjson']);
  });
});

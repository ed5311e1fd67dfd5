import type { Endpoint } from '@switchyard/contract/endpoint';
import { z } from 'zod';
import { isJson, shapeOf, type Json } from './json-shape.ts';
import { sampleOf } from './samples.ts';

/** Request headers, for the components of the document. */
export const headerParameters = {
  RequestId: {
    name: 'x-request-id',
    in: 'header',
    description: 'Identifies the request in the response, the log and the audit trail. An invalid id is replaced by a new one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{8,64}$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `etag` that was read. Returns 412 if the entity has changed since. Without it the last write wins.',
    schema: { type: 'string' },
    example: '"v4"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `etag` that was read. Returns 304 while nothing has changed.',
    schema: { type: 'string' },
  },
} as const;

/** Path, query and header parameters of a call. */
export function parametersOf(endpoint: Endpoint, area: string): Json[] {
  const { params, query, answer, rejections = [] } = endpoint;
  return [
    ...parametersIn('path', params, area),
    ...parametersIn('query', query, area),
    header('RequestId'),
    ...(rejections.includes(412) ? [header('IfMatch')] : []),
    ...(answer.kind === 'raw' && answer.etag === true ? [header('IfNoneMatch')] : []),
  ];
}

function header(name: keyof typeof headerParameters): Json {
  return { $ref: `#/components/parameters/${name}` };
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined, area: string): Json[] {
  // Preprocessing of a query does not change its parameters.
  if (schema instanceof z.ZodPipe && schema.out instanceof z.ZodType) return parametersIn(place, schema.out, area);
  if (!(schema instanceof z.ZodObject)) return [];
  const { properties } = shapeOf(schema, 'input');
  const parts: Readonly<Record<string, z.core.$ZodType | undefined>> = schema.shape;
  return Object.entries(isJson(properties) ? properties : {}).map(([name, shape]) => {
    const { description, ...rest } = isJson(shape) ? shape : {};
    const part = parts[name];
    const isRequired = place === 'path' || (part !== undefined && !z.safeParse(part, undefined).success);
    return {
      name,
      in: place,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      schema: rest,
      // The reference sends every example, so examples of optional filters would narrow every result.
      ...(isRequired ? { example: sampleOf(rest, { name, area, optional: true }) } : {}),
    };
  });
}

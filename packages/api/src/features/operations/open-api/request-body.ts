import type { Endpoint } from '@switchyard/contract/endpoint';
import { bodyLimits } from '@switchyard/contract/limits';
import { isJson, shapeOf, type Json } from './json-shape.ts';
import { requestExamples } from './request-examples.ts';
import { sampleOf } from './samples.ts';

/** Describes the body of a call in each of its content types; null for a call without a body. */
export function requestBodyOf(endpoint: Endpoint, area: string): Json | null {
  if (!endpoint.body) return null;
  const schema = shapeOf(endpoint.body, 'input');
  const example = requestExamples[endpoint.number] ?? sampleOf(schema, { name: 'data', area, optional: true });
  // No body counts as an empty object (api 0.1).
  const required = endpoint.bodyForm === 'text' || isNonEmptyList(schema['required']);
  return { required, content: contentOf(endpoint.bodyForm, { schema, example }) };
}

type BodyContent = { schema: Json; example: unknown };

function contentOf(form: Endpoint['bodyForm'], content: BodyContent): Json {
  switch (form) {
    case 'multipart':
      return { 'multipart/form-data': content };
    case 'text':
      return { 'text/plain': content, 'application/json': content };
    case 'ingest':
      return {
        'application/json': content,
        'application/x-ndjson': {
          schema: {
            type: 'string',
            description: `One row a line; like JSON it may be sent as gzip, at most ${bodyLimits.ingest} bytes after inflating.`,
          },
          example: linesOf(content.example),
        },
      };
    default:
      return { 'application/json': content };
  }
}

/** The rows of an ingestion example as NDJSON. */
function linesOf(example: unknown): string {
  const [rows] = isJson(example) ? Object.values(example) : [];
  return (Array.isArray(rows) ? rows : []).map((row) => `${JSON.stringify(row)}\n`).join('');
}

function isNonEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

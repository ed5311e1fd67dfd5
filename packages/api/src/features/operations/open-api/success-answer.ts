import type { Answer } from '@switchyard/contract/endpoint';
import { cursorForm, pageForm } from '@switchyard/contract/envelope';
import { shapeOf, type Json } from './json-shape.ts';
import { sampleOf } from './samples.ts';

/** Response headers, for the components of the document. */
export const answerHeaders = {
  RequestId: { description: 'Names the request in the log and the audit trail', schema: { type: 'string' } },
  Etag: { description: 'Stands for what was answered; goes into `If-Match` or `If-None-Match`', schema: { type: 'string' } },
  ContentDisposition: { description: '`attachment` with the name of the file', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds after which to try again', schema: { type: 'integer' } },
  Authenticate: { description: '`Bearer`', schema: { type: 'string' } },
} as const;

const headerNames = {
  RequestId: 'x-request-id',
  Etag: 'etag',
  ContentDisposition: 'content-disposition',
  RetryAfter: 'retry-after',
  Authenticate: 'www-authenticate',
} as const;

/** These response headers and the request id, which every response has. */
export function headersOf(...names: readonly (keyof typeof answerHeaders)[]): Json {
  const all = ['RequestId', ...names] as const;
  return { headers: Object.fromEntries(all.map((name) => [headerNames[name], { $ref: `#/components/headers/${name}` }])) };
}

/** Successful responses of a call by status. */
export function successAnswers(answer: Answer, area: string): Json {
  if (answer.kind === 'empty') return { 204: { description: 'Done', ...headersOf() } };
  if (answer.kind === 'raw') return rawAnswers(answer, area);
  const isData = answer.kind === 'data';
  const status = isData ? answer.status : 200;
  const headers = headersOf(...(isData && answer.etag === true ? (['Etag'] as const) : []));
  return { [status]: { description: 'Done', ...headers, content: { 'application/json': envelope(answer, area) } } };
}

function envelope(answer: Extract<Answer, { kind: 'data' | 'page' | 'cursor' | 'paged-data' }>, area: string): Json {
  const isList = answer.kind === 'page' || answer.kind === 'cursor';
  const data = isList ? { type: 'array', items: shapeOf(answer.row, 'output') } : shapeOf(answer.schema, 'output');
  const properties = {
    success: { const: true },
    data,
    ...(answer.kind === 'data' ? {} : { pagination: { $ref: '#/components/schemas/Pagination' } }),
  };
  const pagination =
    answer.kind === 'cursor'
      ? cursorForm({ count: 1, limit: 50, previous: null, next: 'eyJ2IjoiMjAyNi0xMS0yMCJ9' })
      : pageForm({ total: 1, count: 1, limit: 20, page: 1 });
  const example = {
    success: true,
    data: sampleOf(data, { name: 'data', area, optional: false }),
    ...(answer.kind === 'data' ? {} : { pagination }),
  };
  return { schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }, example };
}

function rawAnswers(answer: Extract<Answer, { kind: 'raw' }>, area: string): Json {
  const { contentType, schema, alsoAt = [] } = answer;
  const isJsonText = contentType.includes('/json');
  const isText = contentType.startsWith('text/');
  const shape = schema
    ? shapeOf(schema, 'output')
    : { type: isJsonText ? 'object' : 'string', ...(isText || isJsonText ? {} : { format: 'binary' }) };
  const example = answer.example ?? (schema ? sampleOf(shape, { name: 'data', area, optional: false }) : undefined);
  const headers = headersOf(
    ...(answer.etag === true ? (['Etag'] as const) : []),
    ...(answer.file === true ? (['ContentDisposition'] as const) : []),
  );
  const content = { [contentType]: { schema: shape, ...(example === undefined ? {} : { example }) } };
  const successAnswer = { description: 'Done', ...headers, content };
  return {
    200: successAnswer,
    ...(answer.etag === true ? { 304: { description: 'Nothing has changed since that `etag`', ...headersOf('Etag') } } : {}),
    ...Object.fromEntries(alsoAt.map((status) => [status, { ...successAnswer, description: 'Not now; the body says why' }])),
  };
}

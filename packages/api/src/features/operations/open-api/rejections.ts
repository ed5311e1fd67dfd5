import { rejectionStatuses, type Endpoint } from '@switchyard/contract/endpoint';
import { fieldErrorMap, messages } from '@switchyard/contract/envelope';
import { ingestMessages, ingestResult } from '@switchyard/contract/ingest';
import { factorSetUpRequest, reauthenticationRequest } from '@switchyard/contract/session';
import { shapeOf, type Json } from './json-shape.ts';
import { sampleOf } from './samples.ts';
import { headersOf } from './success-answer.ts';

type RejectionText = { description: string; example: string };

/** Errors with nothing but a message (api 0.3). */
const plain: Readonly<Record<number, RejectionText & { header?: 'RetryAfter' | 'Authenticate' }>> = {
  400: { description: 'The body cannot be read', example: messages.malformedBody },
  401: { description: 'No token, or an unknown, expired or ended one', example: messages.unauthorized, header: 'Authenticate' },
  403: { description: 'A permission is missing, a rule forbids it, or `data` says what to do first', example: messages.forbidden },
  404: { description: 'No such route, or no such entity for this caller', example: messages.notFound },
  409: {
    description: 'The state of the entity forbids it; the message says why',
    example: 'You need to restore the app first to make changes',
  },
  413: { description: 'The body is too large', example: messages.bodyTooLarge },
  415: { description: 'The content type or encoding is not supported', example: messages.unsupportedMediaType },
  429: { description: 'Too many attempts; `retry-after` says when to retry', example: messages.tooManyAttempts, header: 'RetryAfter' },
  503: {
    description: 'Cannot be served at the moment; `retry-after` says when to retry',
    example: messages.databaseUnavailable,
    header: 'RetryAfter',
  },
};

const message = { success: { const: false }, message: { type: 'string' } } as const;
const fieldErrorsShape = shapeOf(fieldErrorMap, 'output');

/** Schemas of error responses, for the components of the document. */
export const rejectionSchemas = {
  Refusal: closedObject({ ...message }),
  FieldErrors: closedObject({ ...message, errors: fieldErrorsShape, data: closedObject({ errors: fieldErrorsShape }) }),
  Forbidden: {
    anyOf: [
      closedObject({ ...message }),
      ...[reauthenticationRequest, factorSetUpRequest].map((data) => closedObject({ ...message, data: shapeOf(data, 'output') })),
    ],
  },
  Defect: closedObject({ ...message, request_id: { type: 'string' } }),
  RejectedRows: closedObject({ ...message, data: shapeOf(ingestResult, 'output') }),
} as const;

/** Error responses that all calls share, for the components of the document. */
export const rejectionResponses: Json = {
  ...Object.fromEntries(
    Object.entries(plain).map(([status, { description, example, header }]) => [
      `Refusal${status}`,
      answerOf({
        description,
        headers: headersOf(...(header ? [header] : [])),
        schema: status === '403' ? 'Forbidden' : 'Refusal',
        example: { success: false, message: example },
      }),
    ]),
  ),
  InvalidRequest: answerOf({
    description: 'The request is not valid HTTP',
    schema: 'Refusal',
    example: { success: false, message: messages.malformedBody },
  }),
  Refusal422: answerOf({ description: 'Field errors, by dotted path', schema: 'FieldErrors', example: fieldErrorExample() }),
  Refusal500: answerOf({
    description: 'A defect; `request_id` finds it in the log',
    schema: 'Defect',
    example: { success: false, message: messages.somethingWrong, request_id: '0f8fad5b-d9cb-469f-a165-70867728950e' },
  }),
};

/** All error responses of a call by status (api 0.3). */
export function rejectionsOf(endpoint: Endpoint, area: string): Json {
  const statuses = rejectionStatuses(endpoint);
  const rejections = Object.fromEntries(statuses.map((status) => [status, rejectionOf(endpoint, status, area)]));
  // Even a call without errors of its own rejects invalid HTTP requests. Generators of clients know no ranges such as 4XX.
  return statuses.some((status) => status < 500) ? rejections : { ...rejections, 400: { $ref: '#/components/responses/InvalidRequest' } };
}

function rejectionOf({ answer, bodyForm }: Endpoint, status: number, area: string): Json {
  if (status === 412 && answer.kind === 'data') return changedByOthers(shapeOf(answer.schema, 'output'), area);
  if (status === 422 && bodyForm === 'ingest') return rejectedRows();
  return { $ref: `#/components/responses/Refusal${status}` };
}

function changedByOthers(current: Json, area: string): Json {
  const schema = closedObject({ ...message, data: closedObject({ current }) });
  const example = {
    success: false,
    message: messages.stale,
    data: { current: sampleOf(current, { name: 'data', area, optional: false }) },
  };
  const description = 'Changed by somebody else since it was read; `data.current` is what it is now';
  return { description, ...headersOf(), content: { 'application/json': { schema, example } } };
}

function rejectedRows(): Json {
  const schema = { anyOf: [{ $ref: '#/components/schemas/FieldErrors' }, { $ref: '#/components/schemas/RejectedRows' }] };
  const rejections = [{ index: 0, id: null, errors: { date: [ingestMessages.tooFarAhead] } }];
  const example = { success: false, message: ingestMessages.allRejected, data: { accepted: 0, duplicates: 0, rejected: rejections } };
  return { description: 'No rows, or every row was bad', ...headersOf(), content: { 'application/json': { schema, example } } };
}

function fieldErrorExample(): Json {
  const errors = { name: ['The name field is required.'] };
  return { success: false, message: messages.invalidData, errors, data: { errors } };
}

function answerOf(text: { description: string; headers?: Json; schema: keyof typeof rejectionSchemas; example: Json }): Json {
  const schema = { $ref: `#/components/schemas/${text.schema}` };
  return {
    description: text.description,
    ...(text.headers ?? headersOf()),
    content: { 'application/json': { schema, example: text.example } },
  };
}

/** An object with exactly these keys. */
function closedObject(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

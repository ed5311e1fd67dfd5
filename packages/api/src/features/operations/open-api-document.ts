import type { Access, Answer, Endpoint } from '@switchyard/contract/endpoint';
import { failure, messages, pagination } from '@switchyard/contract/envelope';
import { bodyLimits } from '@switchyard/contract/limits';
import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document; plain JSON. */
export type OpenApiDocument = Json & { openapi: '3.1.0'; paths: Readonly<Record<string, Json>> };

/** Refusals by status: when they come, and the text that the contract fixes for them (api 0.3). */
const refusals: Readonly<Record<number, { description: string; example: string }>> = {
  400: { description: 'The body cannot be read', example: messages.malformedBody },
  401: { description: 'No token, or an unknown, expired or ended one', example: messages.unauthorized },
  403: { description: 'A permission is missing, or a rule forbids it', example: messages.forbidden },
  404: { description: 'No such route, or no such entity for this caller', example: messages.notFound },
  409: { description: 'The state of the entity forbids it', example: 'See the message' },
  412: { description: 'Changed by somebody else since it was read; `data.current` is what it is now', example: messages.stale },
  413: { description: 'The body is too large', example: messages.bodyTooLarge },
  415: { description: 'The content type or encoding is not supported', example: messages.unsupportedMediaType },
  422: { description: 'Field errors, by dotted path', example: messages.invalidData },
  429: { description: 'Too many attempts; `retry-after` says when to come back', example: messages.tooManyAttempts },
  500: { description: 'A defect; `request_id` finds it in the log', example: messages.somethingWrong },
  503: { description: 'Cannot be served just now; `retry-after` says when to come back', example: messages.databaseUnavailable },
};

/** Describes every call for the API reference, from the same data that binds and checks them (api [98]). */
export function openApiDocument(endpoints: readonly Endpoint[], about: { title: string; version: string }): OpenApiDocument {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.startsWith('/') ? endpoint.path : `/api/${endpoint.path}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: `${about.title} API`, version: about.version, description: introduction },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'Token of a signed-in account, from `sanctum/login`' },
        trafficServer: { type: 'http', scheme: 'bearer', description: 'Token of a traffic server' },
      },
      schemas: { Failure: shapeOf(failure, 'output'), Pagination: shapeOf(pagination, 'output') },
      responses: Object.fromEntries(Object.entries(refusals).map(([status, refusal]) => [`Refusal${status}`, refusalResponse(refusal)])),
    },
  };
}

const introduction = [
  'Answers stand in an envelope: `success`, `data` and, in lists, `pagination`. Refusals carry `message` and, for field errors, `errors`.',
  'Dates are UTC, `YYYY-MM-DD HH:mm:ss`. Unknown keys of a body are refused, unknown query parameters ignored.',
].join('\n\n');

function operation(endpoint: Endpoint): Json {
  const { method, path, summary, access, body } = endpoint;
  const parameters = [...parametersIn('path', endpoint.params), ...parametersIn('query', endpoint.query)];
  return {
    operationId: operationId(method, path),
    summary,
    description: accessNote(access),
    tags: [areaOf(path)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: bodyContent(endpoint, body) } } : {}),
    responses: { ...successResponse(endpoint.answer), ...Object.fromEntries(refusalStatuses(endpoint).map(refusalReference)) },
    security: security(access),
    'x-call': endpoint.number,
    ...(access.kind === 'permissions' ? { 'x-permissions': access.anyOf } : {}),
  };
}

/** Areas of the product by the first word of a path; others are named by that word. */
const areas: Readonly<Record<string, string>> = {
  sanctum: 'Session',
  google: 'Session',
  time: 'Settings and time',
  settings: 'Settings and time',
  app: 'Apps',
  verticals: 'Apps',
  permissions: 'Roles',
  ingest: 'Ingestion',
  edge: 'Ingestion',
  docs: 'Operations',
  'openapi.json': 'Operations',
};

function areaOf(path: string): string {
  if (path.startsWith('/')) return 'Operations';
  const [word = path] = path.split('/');
  return areas[word] ?? word.charAt(0).toUpperCase() + word.slice(1).replaceAll('-', ' ');
}

function accessNote(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'Public.';
    case 'session':
      return 'Needs a signed-in account.';
    case 'traffic-server':
      return 'Needs the token of a traffic server.';
    default:
      return `Needs ${access.anyOf.length > 1 ? 'any of ' : ''}${access.anyOf.map((permission) => `\`${permission}\``).join(', ')}.`;
  }
}

function security(access: Access): Json[] {
  if (access.kind === 'public') return [];
  return [access.kind === 'traffic-server' ? { trafficServer: [] } : { session: [] }];
}

function bodyContent(endpoint: Endpoint, body: z.ZodType): Json {
  const schema = shapeOf(body, 'input');
  if (endpoint.bodyForm === 'multipart') return { 'multipart/form-data': { schema } };
  if (endpoint.bodyForm !== 'ingest') return { 'application/json': { schema } };
  const note = `One row a line; gzip is accepted, at most ${bodyLimits.ingest} bytes after inflating.`;
  return { 'application/json': { schema }, 'application/x-ndjson': { schema: { type: 'string', description: note } } };
}

function successResponse(answer: Answer): Json {
  if (answer.kind === 'empty') return { 204: { description: 'Done' } };
  if (answer.kind === 'raw') {
    const schema = answer.schema ? shapeOf(answer.schema, 'output') : { type: answer.contentType.includes('json') ? 'object' : 'string' };
    return { 200: { description: 'Done', content: { [answer.contentType]: { schema } } } };
  }
  const isData = answer.kind === 'data';
  const data = 'schema' in answer ? shapeOf(answer.schema, 'output') : { type: 'array', items: shapeOf(answer.row, 'output') };
  const properties = {
    success: { const: true },
    data,
    ...(isData ? {} : { pagination: { $ref: '#/components/schemas/Pagination' } }),
  };
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  return { [isData ? answer.status : 200]: { description: 'Done', content: { 'application/json': { schema } } } };
}

function refusalStatuses({ access, params, query, body, refusals: own = [] }: Endpoint): number[] {
  const ofAccess = access.kind === 'public' ? [] : access.kind === 'permissions' ? [401, 403] : [401];
  const ofInput = [...(params ? [404] : []), ...((query ?? body) ? [422] : []), ...(body ? [400, 413, 415] : [])];
  return [...new Set([...ofAccess, ...ofInput, ...own, 500, 503])].sort((a, b) => a - b);
}

function refusalReference(status: number): [number, Json] {
  return [status, { $ref: `#/components/responses/Refusal${status}` }];
}

function refusalResponse({ description, example }: { description: string; example: string }): Json {
  const schema = { $ref: '#/components/schemas/Failure' };
  return { description, content: { 'application/json': { schema, example: { success: false, message: example } } } };
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  // What prepares a query before it is read does not change its parameters.
  if (schema instanceof z.ZodPipe && schema.out instanceof z.ZodType) return parametersIn(place, schema.out);
  if (!(schema instanceof z.ZodObject)) return [];
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  return Object.entries(shape).map(([name, parameter]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: shapeOf(parameter, 'input'),
  }));
}

/** JSON Schema of a contract schema; what has no JSON form, such as an effect, is left open. */
function shapeOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Booleans of a query are texts such as "1"; to a reader they are booleans.
      if (jsonSchema.type === 'boolean') delete jsonSchema.enum;
    },
  });
  return shape;
}

/** `GET apps/{id}/postbacks` becomes `getAppsByIdPostbacks`. */
function operationId(method: string, path: string): string {
  const words = path.replaceAll(/\{(\w+)\}/g, 'by-$1').split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

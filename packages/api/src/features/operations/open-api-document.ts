import type { CallArea } from '@switchyard/contract/all-endpoints';
import { describeRecentSignIn, servesTokens, type Endpoint, type Access } from '@switchyard/contract/endpoint';
import { pagination } from '@switchyard/contract/envelope';
import { shapeOf, type Json } from './open-api/json-shape.ts';
import { headerParameters, parametersOf } from './open-api/parameters.ts';
import { rejectionResponses, rejectionSchemas, rejectionsOf } from './open-api/rejections.ts';
import { requestBodyOf } from './open-api/request-body.ts';
import { answerHeaders, successAnswers } from './open-api/success-answer.ts';

/** An OpenAPI 3.1 document; plain JSON. */
export type OpenApiDocument = Json & { openapi: '3.1.0'; paths: Readonly<Record<string, Json>> };

const introduction = [
  'Responses are wrapped in an envelope: `success`, `data` and, in lists, `pagination`. Errors contain `message` and, for fields, `errors`.',
  'Dates are UTC, `YYYY-MM-DD HH:mm:ss`. Unknown keys of a body are rejected, unknown query parameters are ignored.',
  'Every response has an `x-request-id`. Malformed HTTP requests return 400, 404, 408 or 431 as an error response.',
  'API tokens can make every call unless its description says otherwise. Responses to them have `ratelimit-limit`, `ratelimit-remaining` and `ratelimit-reset`.',
  'Accounts can make a call if they hold one of its `x-permissions`. Results are limited to apps that the account can access.',
].join('\n\n');

/** Describes every call for the API reference, from the same data that binds and checks them (api [98]). */
export function openApiDocument(areas: readonly CallArea[], about: { title: string; version: string }): OpenApiDocument {
  const paths: Record<string, Json> = {};
  for (const { name, calls } of areas) {
    for (const endpoint of calls) {
      const path = endpoint.path.startsWith('/') ? endpoint.path : `/api/${endpoint.path}`;
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, name) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${about.title} API`,
      version: about.version,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The administrators of this console' },
    },
    servers: [{ url: '/' }],
    tags: areas.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      parameters: headerParameters,
      headers: answerHeaders,
      schemas: { ...rejectionSchemas, Pagination: shapeOf(pagination, 'output') },
      responses: rejectionResponses,
    },
  };
}

function operation(endpoint: Endpoint, area: string): Json {
  const { method, path, summary, access, answer } = endpoint;
  const recentSignIn = describeRecentSignIn(endpoint);
  const requestBody = requestBodyOf(endpoint, area);
  return {
    operationId: operationId(method, path),
    summary,
    description: `${accessNote(access)}${recentSignIn === null ? '' : ` Needs a recent sign-in (${recentSignIn}).`}`,
    tags: [area],
    parameters: parametersOf(endpoint, area),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...successAnswers(answer, area), ...rejectionsOf(endpoint, area) },
    ...accessOf(access),
    ...(recentSignIn === null ? {} : { 'x-recent-sign-in': recentSignIn }),
    'x-call': endpoint.number,
  };
}

/** `GET apps/{id}/postbacks` becomes `getAppsByIdPostbacks`. */
function operationId(method: string, path: string): string {
  const words = path.replaceAll(/\{(\w+)\}/g, 'by-$1').split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The two kinds of bearer tokens (api 0.1). */
const securitySchemes = {
  session: { type: 'http', scheme: 'bearer', description: 'Token of a signed-in account, from `sanctum/login`' },
  apiToken: { type: 'http', scheme: 'bearer', description: 'API token or token of a service account' },
  trafficServer: { type: 'http', scheme: 'bearer', description: 'Token of a traffic server' },
} as const;

/** Describes who may make a call. */
function accessNote(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'Public.';
    case 'session':
      return `Needs a signed-in account.${tokenNote(access)}`;
    case 'traffic-server':
      return 'Needs the token of a traffic server.';
    default:
      return `Needs ${access.anyOf.length > 1 ? 'any of ' : ''}${access.anyOf.map((permission) => `\`${permission}\``).join(', ')}${access.allApps === undefined ? '' : ', and all apps'}.${tokenNote(access)}`;
  }
}

function tokenNote(access: Access): string {
  return servesTokens(access) ? '' : ' Does not serve API tokens.';
}

/** Who may make a call, machine-readable. Any one of `x-permissions` is sufficient. */
function accessOf(access: Access): Json {
  if (access.kind === 'public') return { security: [] };
  if (access.kind === 'traffic-server') return { security: [{ trafficServer: [] }] };
  const security = [{ session: [] }, ...(servesTokens(access) ? [{ apiToken: [] }] : [])];
  return { security, ...(access.kind === 'permissions' ? { 'x-permissions': access.anyOf } : {}) };
}

import { z } from 'zod';
import { defineEndpoint, publicAccess } from './endpoint.ts';
import { queryBoolean } from './listing.ts';

export const getLiveness = defineEndpoint({
  number: 95,
  method: 'GET',
  path: '/livez',
  summary: 'Liveness probe',
  access: publicAccess,
  answer: { kind: 'raw', contentType: 'text/plain', example: 'ok' },
});

const check = z.enum(['ok', 'failed', 'pending', 'shutdown']);
/** Room for stored data: whether a write to a database failed for lack of it in the last minute, and that of the folders of a console. */
const storage = z.object({
  database: z.enum(['ok', 'full']),
  data: z.enum(['ok', 'low', 'full', 'unknown']),
  logs: z.enum(['ok', 'low', 'full', 'unknown']),
});
export type StorageState = z.output<typeof storage>;

/** Readiness and its checks. `storage` with `details=1`. */
export const readiness = z.object({
  status: z.enum(['ready', 'unavailable']),
  checks: z.object({ database: check, migrations: check }),
  storage: storage.optional(),
});
export type Readiness = z.output<typeof readiness>;

export const getReadiness = defineEndpoint({
  number: 96,
  method: 'GET',
  path: '/readyz',
  summary: 'Readiness probe',
  access: publicAccess,
  query: z.object({ details: queryBoolean() }),
  answer: { kind: 'raw', contentType: 'application/json', schema: readiness, alsoAt: [503] },
});

export const getMetrics = defineEndpoint({
  number: 97,
  method: 'GET',
  path: '/metrics',
  summary: 'Metrics for Prometheus',
  access: publicAccess,
  answer: { kind: 'raw', contentType: 'text/plain; version=0.0.4', example: 'sse_connections 2\n' },
  rejections: [401],
});

export const getOpenApi = defineEndpoint({
  number: 98,
  method: 'GET',
  path: 'openapi.json',
  summary: 'This OpenAPI document',
  access: publicAccess,
  answer: { kind: 'raw', contentType: 'application/json' },
  rejections: [404],
});

export const getReference = defineEndpoint({
  number: 99,
  method: 'GET',
  path: 'docs',
  summary: 'The API reference as a page',
  access: publicAccess,
  answer: { kind: 'raw', contentType: 'text/html' },
  rejections: [404],
});

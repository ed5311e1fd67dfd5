import { z } from 'zod';
import { defineEndpoint, publicAccess } from './endpoint.ts';

export const getLiveness = defineEndpoint({
  number: 95,
  method: 'GET',
  path: '/livez',
  summary: 'Liveness probe',
  access: publicAccess,
  answer: { kind: 'raw', contentType: 'text/plain', example: 'ok' },
});

const check = z.enum(['ok', 'failed', 'pending', 'shutdown']);
/** Readiness and its checks. */
export const readiness = z.object({ status: z.enum(['ready', 'unavailable']), checks: z.object({ database: check, migrations: check }) });
export type Readiness = z.output<typeof readiness>;

export const getReadiness = defineEndpoint({
  number: 96,
  method: 'GET',
  path: '/readyz',
  summary: 'Readiness probe',
  access: publicAccess,
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

import { z } from 'zod';
import { conversionTypes } from './app-rules.ts';
import { fullApp } from './app-form.ts';
import { linkStatuses } from './apps.ts';
import { defineEndpoint } from './endpoint.ts';

/** What a traffic server needs of an app that is linked to it: no secret, no push file (api [94]). */
const edgeApp = fullApp
  .pick({
    id: true,
    name: true,
    bundle: true,
    domain: true,
    vertical: true,
    app_mode: true,
    response_mode: true,
    response_message: true,
    proxy_api_url: true,
    static_response_path: true,
    proxy_cache_seconds: true,
    cloak_mode: true,
    adspect_cloak: true,
    white_user_agent: true,
    updated_at: true,
  })
  .extend({
    link: z.object({ id: z.int(), status: z.enum(linkStatuses), is_only_cf: z.boolean() }),
    conversion_api_type: z.enum(conversionTypes),
    keys: z.object({ createApfDevKey: z.string().nullable(), firebaseAppId: z.string().nullable() }),
  });
export type EdgeApp = z.output<typeof edgeApp>;

/** All that a traffic server obeys: apps by id, addresses in text order, codes ascending. */
export const edgeConfig = z.object({
  server: z.object({ id: z.int(), name: z.string() }),
  apps: z.array(edgeApp),
  black_list: z.array(z.string()),
  asns: z.object({ create: z.array(z.int()), receive: z.array(z.int()) }),
});
export type EdgeConfig = z.output<typeof edgeConfig>;

export const getEdgeConfig = defineEndpoint({
  number: 94,
  method: 'GET',
  path: 'edge/config',
  summary: 'What a traffic server obeys; 304 when it has it already',
  access: { kind: 'traffic-server', polls: true },
  answer: { kind: 'raw', contentType: 'application/json', schema: z.object({ success: z.literal(true), data: edgeConfig }), etag: true },
});

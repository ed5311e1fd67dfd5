import { z } from 'zod';
import { conversionTypes } from './app-rules.ts';
import { fullApp } from './app-form.ts';
import { linkStatuses } from './apps.ts';
import { defineEndpoint } from './endpoint.ts';
import { queryBoolean } from './listing.ts';

/** Configuration of a linked app for a traffic server, without secrets and push file. */
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

/** Configuration of a traffic server. Apps are ordered by id, addresses and networks as text, ASNs ascending. */
export const edgeConfig = z.object({
  server: z.object({ id: z.int(), name: z.string() }),
  apps: z.array(edgeApp),
  black_list: z.array(z.string()),
  /** Black-listed networks; only if they were asked for. */
  black_networks: z.array(z.string()).optional(),
  asns: z.object({ create: z.array(z.int()), receive: z.array(z.int()) }),
});
export type EdgeConfig = z.output<typeof edgeConfig>;

export const getEdgeConfig = defineEndpoint({
  number: 94,
  method: 'GET',
  path: 'edge/config',
  summary: 'Configuration of a traffic server; 304 if it is unchanged',
  access: { kind: 'traffic-server', polls: true },
  /** `networks`: whether the answer has `black_networks`. */
  query: z.object({ networks: queryBoolean() }),
  answer: { kind: 'raw', contentType: 'application/json', schema: z.object({ success: z.literal(true), data: edgeConfig }), etag: true },
});

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { EngineError, type Query } from './engine.ts';

/** Parameters of the address that are no settings. Compression is not offered, and answers are never held back. */
const noSettings = new Set([
  'buffer_size',
  'compress',
  'database',
  'decompress',
  'default_format',
  'enable_http_compression',
  'http_headers_progress_interval_ms',
  'query',
  'query_id',
  'role',
  'send_progress_in_http_headers',
  'wait_end_of_query',
]);

/**
 * Reads a query from a request of ClickHouse's HTTP interface: the statement from the body, or from the address with the
 * rows in the body, or with its parameters from a form.
 * @throws EngineError for what this gateway does not offer.
 */
export async function readQuery(request: IncomingMessage): Promise<Query> {
  const query = new URL(request.url ?? '/', 'http://engine').searchParams;
  if (query.has('session_id')) throw new EngineError(48, 'NOT_IMPLEMENTED', 'Sessions are not supported by this gateway');
  const form = await readBody(request);
  for (const [name, value] of typeof form === 'string' ? [] : form) query.append(name, value);
  const body = typeof form === 'string' ? form : '';
  const statement = query.get('query');
  return {
    id: query.get('query_id') ?? randomUUID(),
    sql: (statement ?? body).trim(),
    data: statement === null ? '' : body,
    database: query.get('database'),
    settings: [...query].filter(([name]) => !noSettings.has(name)),
    format: query.get('default_format') ?? 'TabSeparated',
  };
}

/** The body as text, or the fields of a form. */
async function readBody(request: IncomingMessage): Promise<string | [name: string, value: string][]> {
  const bytes = await buffer(request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return bytes.toString();
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] satisfies [string, string]] : []));
}

/** The id in `KILL QUERY WHERE query_id = …`, and whether to wait until the query has ended; null for other statements. */
export function readKill({ sql, settings }: Query): { queryId: string; waits: boolean } | null {
  const match = /^kill\s+query\s+where\s+query_id\s*=\s*(?:'([^'\\]*)'|\{(\w+)\s*:\s*String\})\s*(sync|async)?[\s;]*$/i.exec(sql);
  if (!match) return null;
  const [, literal, parameter, mode] = match;
  const parameterValue = settings.find(([name]) => name === `param_${parameter}`)?.[1];
  return { queryId: literal ?? parameterValue ?? '', waits: mode?.toLowerCase() === 'sync' };
}

import { saveServer, type TrafficServer } from '@switchyard/contract/traffic-servers';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { CreateServerPage, EditServerPage } from '../server-form-pages.tsx';
import { ServersPage } from '../servers-page.tsx';

/** A server whose token and main hash are set, as the API gives it. */
export const sampleServer: TrafficServer = {
  id: 3,
  name: 'edge-fra-1',
  url: 'https://edge-fra-1.example',
  region: 'eu-central',
  ip: '203.0.113.20',
  token: null,
  mainHash: null,
  hash: null,
  has_token: true,
  has_main_hash: true,
  has_hash: false,
  ingest_enabled: true,
  created_at: '2026-01-01 00:00:00',
  updated_at: '2026-06-01 00:00:00',
  version: 2,
};

/** A call of the pages as the test's server got it: method and path, then its body if it had one. */
export type AskedCall = readonly [call: string, body?: unknown];
type Answer = { readonly status: number; readonly body?: unknown };

const pageForm = {
  limit: 20,
  currentPage: 1,
  totalPages: 1,
  current_page: 1,
  last_page: 1,
  links: [],
  prev_cursor: null,
  next_cursor: null,
};

export const ok = (data: unknown, status = 200): Answer => ({ status, body: { success: true, data } });

/** Opens an address of the servers' pages over these servers; `answer` answers calls by method and path. Gives all calls and the history. */
export async function renderServers(options: {
  address: string;
  servers?: readonly TrafficServer[];
  answer?: Readonly<Record<string, Answer>>;
}) {
  const { address, servers = [sampleServer], answer = {} } = options;
  const calls: AskedCall[] = [];
  let server = sampleServer;
  const write = (body: unknown, version: number): TrafficServer => {
    const { name = server.name, url = server.url, region = null, ip = null } = saveServer.body.parse(body);
    return (server = { ...server, name, url, region, ip, version });
  };
  const own: Record<string, (body: unknown) => Answer> = {
    'GET servers': () => ({
      status: 200,
      body: { success: true, data: servers, pagination: { ...pageForm, total: servers.length, count: servers.length } },
    }),
    'GET servers/activity': () => ok([]),
    'GET servers/3': () => ok(server),
    'GET servers/3/secrets': () => ok({ token_set_at: '2026-06-01 00:00:00', main_hash_set_at: null, hash_set_at: null }),
    'GET servers/3/dependants': () => ok({ links: [], others: 0 }),
    'DELETE servers/3': () => ({ status: 204 }),
    'PUT servers/3': (body) => ok(write(body, server.version + 1)),
    'POST servers': (body) => ok(write(body, 1), 201),
  };
  stubApi((url, { method, body }) => {
    const call = `${method} ${new URL(url, 'http://console').pathname.replace('/api/', '')}`;
    const sentBody: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
    calls.push(sentBody === undefined ? [call] : [call, sentBody]);
    const answerOfCall = answer[call] ?? own[call]?.(sentBody) ?? { status: 404, body: { success: false, message: 'Not found' } };
    return Promise.resolve(
      answerOfCall.body === undefined
        ? new Response(null, { status: answerOfCall.status })
        : Response.json(answerOfCall.body, { status: answerOfCall.status }),
    );
  });
  const history = await renderPages(
    [
      ['/servers', 'Servers', ServersPage],
      ['/servers/create', 'Create server', CreateServerPage],
      ['/servers/$id/edit', 'Edit server', EditServerPage],
    ],
    ['/before', address],
  );
  return { calls, history };
}

/** The writes among the calls. */
export function writes(calls: readonly AskedCall[]): AskedCall[] {
  return calls.filter(([call]) => !call.startsWith('GET '));
}

import type { Databases } from '../src/database/connect.ts';
import type { TestApi } from './build-test-api.ts';
import type { SignedIn } from './sign-in-as.ts';

type Fields = Record<string, unknown>;

/** The least that a traffic server needs. */
export const plain = { name: 'edge-fra-1', url: 'https://edge-fra-1.example' };

/** A token long enough to hand traffic in with. */
export const longToken = (tag: string) => `${tag}-${'t'.repeat(30)}`;

/** The answer to a form of which these fields do not fit. */
export const misfit = (errors: Record<string, string>) => {
  const fieldErrors = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]));
  return {
    status: 422,
    body: { success: false, message: 'The given data was invalid.', errors: fieldErrors, data: { errors: fieldErrors } },
  };
};

/** An answer without its headers. */
export const only = ({ status, body }: { status: number; body: unknown }) => ({ status, body });

/** Calls about traffic servers by the current account, and what the database holds of a server. */
export function trafficServerCalls({ db }: Pick<Databases, 'db'>, signedIn: () => { api: TestApi; admin: SignedIn }) {
  const call: TestApi['call'] = (...request) => signedIn().api.call(...request);
  const post = async (body: Fields) => call('POST', '/api/servers', { ...signedIn().admin, body });
  return {
    post,
    put: async (id: number, body: Fields, ifMatch?: string) =>
      call('PUT', `/api/servers/${id}`, {
        headers: { ...signedIn().admin.headers, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
        body,
      }),
    get: async (path: string, caller = signedIn().admin) => call('GET', `/api/${path}`, caller),
    /** Adds a server and gives its id. */
    add: async (fields: Fields = {}): Promise<number> => (await post({ ...plain, ...fields })).body.data.id,
    /** Hands in nothing with a token and gives the status: 401, or 422 where the token is good. */
    ingest: async (token: string) =>
      (await call('POST', '/api/ingest/events', { headers: { authorization: `Bearer ${token}` }, body: { events: [] } })).status,
    stored: async (id: number) => db.selectFrom('traffic_servers').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** Entries of the trail about a server, oldest first. */
    trail: async (id: number) =>
      db
        .selectFrom('audit_entries')
        .select(['action', 'entity_label', 'changes', 'actor_id'])
        .where('entity', '=', 'server')
        .where('entity_id', '=', String(id))
        .orderBy('id')
        .execute(),
  };
}

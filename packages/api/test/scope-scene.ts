import { permissionCatalogue } from '@switchyard/contract/permissions';
import { testPasswords, type TestApi } from './build-test-api.ts';
import { createApp } from './factories/app.ts';
import { signInAs, signInAsServer, type Account } from './sign-in-as.ts';
import { testPassword } from './account-form.ts';

/** Stands in everything that is about the app in scope, and about the other one. */
const ownMark = 'insider';
const foreignMark = 'outsider';
/** A client of both apps. */
export const anyone = 'c_anyone';
const firstOwnId = 71_000_000;
const firstForeignId = 82_000_000;
const otherId = 50_000_000;

/** Data of the two apps that a text contains: of the other one its data, or its id alone. */
export function appsToldIn(text: string): { own: boolean; foreign: 'data' | 'id' | null } {
  const foreign = text.includes(foreignMark) ? 'data' : /\b82000\d{3}\b/.test(text) ? 'id' : null;
  return { own: text.includes(ownMark) || /\b71000\d{3}\b/.test(text), foreign };
}

type Which = 'own' | 'foreign';

/** Two apps with everything that belongs to one, and a restricted account that holds every permission of staff and sees the first alone. */
export async function scopeScene(api: TestApi) {
  const { databases } = api;
  const { db } = databases;
  const since = api.now();
  const appOf = async (which: Which, archived = false) => {
    const mark = which === 'own' ? ownMark : foreignMark;
    const id = (which === 'own' ? firstOwnId : firstForeignId) + (count += 1);
    await nextAppId(id);
    const names = { name: `${mark} ${id}`, bundle: `com.${mark}.a${id}`, domain: `${mark}${id}.example` };
    const app = await createApp(databases, { ...names, deleted_at: archived ? since : null });
    // Apps that the probes create have ids of neither kind.
    await nextAppId(otherId + count * 100);
    return app;
  };
  const nextAppId = async (id: number) => databases.pools.ops.query(`select setval(pg_get_serial_sequence('apps', 'id'), $1, false)`, [id]);
  let count = 0;
  const apps = { own: await appOf('own'), foreign: await appOf('foreign') };
  const permissions = permissionCatalogue.filter(({ panel }) => panel === 'user').map(({ label }) => label);
  const passwordHash = await testPasswords.hash(testPassword);
  const accountFields: Account = { permissions, apps: [apps.own.id], since, passwordHash };
  const caller = await signInAs(databases, accountFields);
  /** Ids of the apps that a probe is about. */
  const ids = { own: [apps.own.id], foreign: [apps.foreign.id], mixed: [apps.own.id, apps.foreign.id] };
  const user = async (of: keyof typeof ids) => signInAs(databases, { permissions: ['manager_app_edit'], apps: ids[of], since });
  const buyer = async (of: keyof typeof ids) => signInAs(databases, { panel: 'buyer', role: 'Buyer', apps: ids[of], since });
  const server = await signInAsServer(databases);
  const link = async (which: Which, archived = false) => {
    const app = await appOf(which, archived);
    if (which === 'own') await db.insertInto('app_accounts').values({ account_id: caller.accountId, app_id: app.id }).execute();
    const { id } = await db
      .insertInto('check_domains')
      .values({ app_id: app.id, server_id: server.serverId, status: 'ok' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { app, id };
  };
  const roleOf = async ({ accountId }: { accountId: number }) =>
    (await db.selectFrom('account_roles').select('role_id').where('account_id', '=', accountId).executeTakeFirstOrThrow()).role_id;
  await handInTraffic();
  return { api, apps, ids, caller, accountFields, user, buyer, server, appOf, link, roleOf };

  /** Requests, pushes, conversions and streams of both apps, as a traffic server hands them in. */
  async function handInTraffic(): Promise<void> {
    const at = new Date(since.getTime() - 60_000).toISOString();
    const { accountId: buyerId } = await buyer('mixed');
    await api.databases.pools.ops.query(`insert into asn_prefixes (first, last, code) values ('10.0.0.0', '10.255.255.255', 64500);
      insert into registry_loads (registry, packaged_version, source, loaded_at, systems, prefixes) values ('asn', '1', 'scene', now(), 1, 1)`);
    const both = [
      { app_id: apps.own.id, mark: ownMark, ip: '10.1.1.1' },
      { app_id: apps.foreign.id, mark: foreignMark, ip: '10.2.2.2' },
    ];
    const kinds = {
      streams: both.map(({ app_id, mark }) => ({
        app_id,
        uid: `st_${mark}`,
        name: `Stream ${mark}`,
        buyer_id: buyerId,
        offer: `https://${mark}.example`,
        created_at: at,
        updated_at: at,
      })),
      events: both.flatMap(({ app_id, mark, ip }) =>
        [`c_${mark}`, anyone].map((client_uid) => ({
          app_id,
          ip,
          type: 'create',
          date: at,
          client_uid,
          stream_uid: `st_${mark}`,
          postbacks_domain: `${mark}.example`,
        })),
      ),
      pushes: both.map(({ app_id, mark }) => ({ app_id, push_id: `p_${mark}`, push_name: mark, send_at: at, client_uid: anyone })),
      conversions: both.map(({ app_id, mark }) => ({ app_id, client_uid: `c_${mark}`, status_conversion: 'deposit', created_at: at })),
    };
    for (const [kind, rows] of Object.entries(kinds)) {
      const { body } = await api.call('POST', `/api/ingest/${kind}`, { headers: server.headers, body: { [kind]: rows } });
      if (body.data?.accepted !== rows.length) throw new Error(`Ingestion of ${kind} answers ${JSON.stringify(body)}`);
    }
  }
}

export type ScopeScene = Awaited<ReturnType<typeof scopeScene>>;

import { describe, expect, it } from 'vitest';
import { createApp } from '../../../test/factories/app.ts';
import { openListedApps } from '../../../test/listed-apps.ts';
import { signInAs } from '../../../test/sign-in-as.ts';

const { databases, list } = await openListedApps();

describe('GET apps: what of each app', () => {
  it('[ENT-001][ENT-011][ENT-012][APPS-016][AMB-059] gives every key of a row, dates in UTC', async () => {
    const dates = {
      expiration_at: new Date('2027-03-01T00:00:00Z'),
      created_at: new Date('2026-01-05T09:00:00Z'),
      updated_at: new Date('2026-11-01T12:00:00Z'),
    };
    const app = await createApp(databases, { name: 'Acme Bet', bundle: 'com.acme.bet', domain: 'acme-bet.example', ...dates });
    const [row] = (await list('?search=acme')).data;
    expect(row).toMatchObject({
      id: app.id,
      name: 'Acme Bet',
      bundle: 'com.acme.bet',
      domain: 'acme-bet.example',
      label: 'Acme Bet (com.acme.bet)',
      vertical: 'bet',
      expiration_at: '2027-03-01 00:00:00',
      deleted_at: null,
      app_mode: 'default',
      response_mode: 'white',
      cloak_mode: 'default',
      has_clients: false,
      check_domains: [],
      monitoring: null,
      users_count: 0,
      created_at: '2026-01-05 09:00:00',
      updated_at: '2026-11-01 12:00:00',
    });
    await databases.db.deleteFrom('apps').where('id', '=', app.id).execute();
  });

  it('[ENT-008][APPS-018] names the monitor and its status only where one watches', async () => {
    const app = await createApp(databases, { name: 'Watched', monitor_name: 'acme_bot', monitor_status: 'ok' });
    expect((await list('?search=watched')).data[0]?.monitoring).toEqual({ app_name: 'acme_bot', status: 'ok' });
    await databases.db.deleteFrom('apps').where('id', '=', app.id).execute();
  });

  it('[ENT-006][ENT-013][APPS-020] lists the links to servers by id, without those of deleted servers', async () => {
    const app = await createApp(databases, { name: 'Linked' });
    const servers = await databases.db
      .insertInto('traffic_servers')
      .values(
        ['edge-1', 'edge-2', 'edge-gone'].map((name) => ({
          name,
          url: `https://${name}.example`,
          deleted_at: name === 'edge-gone' ? new Date() : null,
        })),
      )
      .returning(['id', 'name'])
      .execute();
    const links = await databases.db
      .insertInto('check_domains')
      .values(
        servers.map(({ id }, nth) => ({ app_id: app.id, server_id: id, status: nth === 0 ? ('ok' as const) : ('err_bind' as const) })),
      )
      .returning('id')
      .execute();
    await databases.db
      .updateTable('check_domains')
      .set({ is_bind: true, ssl_at: new Date('2027-02-01T00:00:00Z'), registrar: 'Namecheap' })
      .where('id', '=', links[0]?.id ?? 0)
      .execute();
    const empty = { is_bind: false, ssl_at: null, registrar: null, is_only_cf: false, error: null, next_stage_at: null };
    expect((await list('?search=linked')).data[0]?.check_domains).toEqual([
      {
        ...empty,
        id: links[0]?.id,
        server_id: servers[0]?.id,
        server_name: 'edge-1',
        is_bind: true,
        ssl_at: '2027-02-01 00:00:00',
        registrar: 'Namecheap',
        status: 'ok',
      },
      { ...empty, id: links[1]?.id, server_id: servers[1]?.id, server_name: 'edge-2', status: 'err_bind' },
    ]);
    await databases.db.deleteFrom('apps').where('id', '=', app.id).execute();
  });

  it('[ENT-009][APPS-027] counts the buyers with access, deleted ones left out', async () => {
    const app = await createApp(databases, { name: 'Bought' });
    await signInAs(databases, { panel: 'buyer', role: 'Buyer', apps: [app.id] });
    const deletedBuyer = await signInAs(databases, { panel: 'buyer', role: 'QA', apps: [app.id] });
    expect((await list('?search=bought')).data[0]?.users_count).toBe(2);
    await databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', deletedBuyer.accountId).execute();
    expect((await list('?search=bought')).data[0]?.users_count).toBe(1);
    await databases.db.deleteFrom('apps').where('id', '=', app.id).execute();
  });
});

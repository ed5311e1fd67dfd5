import { randomUUID } from 'node:crypto';
import { addAppDomain } from '@switchyard/contract/app-domains';
import { createApp, saveApp } from '@switchyard/contract/app-form';
import { archiveApp } from '@switchyard/contract/apps';
import { banAsn, explainAsnBan, listAsns } from '@switchyard/contract/asns';
import { addBlackListEntries } from '@switchyard/contract/black-list';
import { type BulkState, cancelBulkRun, checkBulk, getBulkRun, startBulkRun, undoBulkRun } from '@switchyard/contract/bulk';
import type { BodyInputOf } from '@switchyard/contract/endpoint';
import { createNote } from '@switchyard/contract/marks';
import { newServerToken } from '@switchyard/contract/server-rules';
import { createServer, deleteServer, saveServer } from '@switchyard/contract/traffic-servers';
import { callEndpoint as call, type Caller } from '../console/call-endpoint.ts';
import { handIn, handInRows } from '../console/hand-in.ts';
import { hostileText, longText } from './fill-accounts.ts';
import { until } from './until.ts';

/** The app that gets the traffic. */
const bundle = 'com.hostile.app';

export type FilledApps = { ids: number[]; serverId: number; serverToken: string };

/** Creates apps, servers, links and notes: with hostile and long texts, domains of other scripts, archived and deleted ones. */
export async function fillApps(admin: Caller): Promise<FilledApps> {
  const serverToken = newServerToken();
  const secrets = { token: serverToken, mainHash: longText(1_000), hash: 'hash' };
  const server = await call(admin, createServer, {
    body: { ...secrets, name: hostileText, url: 'https://edge.example', ip: '2001:db8::1' },
  });
  await call(admin, saveServer, { params: { id: server.id }, body: { region: 'eu-norð' } });
  const former = await call(admin, createServer, { body: { name: longText(255), url: 'https://former.example' } });
  await call(admin, deleteServer, { params: { id: former.id } });
  const apps: BodyInputOf<typeof createApp>[] = [
    { name: hostileText, bundle, domain: 'straße.example', vertical: 'bet', whiteUserAgent: hostileText },
    { name: longText(255), bundle: `com.${'long'.repeat(60)}`, domain: 'пример.example', vertical: 'finance', keys: { apiSecret: 'x' } },
    { name: 'Archived', bundle: 'com.archived.app', domain: 'archived.example', vertical: 'casino' },
  ];
  const ids: number[] = [];
  for (const body of apps) ids.push((await call(admin, createApp, { body })).id);
  const [hostile = 0, , archived = 0] = ids;
  await call(admin, saveApp, { params: { id: hostile }, body: { response_message: { create: { response: longText(5_000) } } } });
  await call(admin, addAppDomain, { body: { domain: 'straße.example', serverId: server.id } });
  await call(admin, archiveApp, { params: { id: archived } });
  for (const subject of [{}, { app_id: hostile }, { server_id: server.id }])
    await call(admin, createNote, { body: { text: hostileText, ...subject } });
  return { ids, serverId: server.id, serverToken };
}

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Hands in events, pushes, conversions and streams of several hours, and events that retention will drop. */
export async function fillTraffic({ url }: Caller, { serverToken }: FilledApps, buyerEmail: string): Promise<void> {
  const server = { url, serverToken };
  const stream = { bundle, buyer_email: buyerEmail, created_at: hoursAgo(48), updated_at: hoursAgo(48) };
  await handInRows(server, 'streams', [
    { ...stream, uid: 'st-hostile', name: hostileText, rules: { country: ['DE', 'XK'] } },
    { ...stream, uid: 'st-gone', name: longText(255), deleted_at: hoursAgo(1) },
  ]);
  const client = { client_uid: longText(100), stream_uid: 'st-hostile' };
  const event = { ...client, bundle, country: 'DE', ip: '1.1.1.1', type: 'create', body_request: { text: `${hostileText}\0\uD800` } };
  await handIn(server, [
    ...[1, 2, 3, 26, 24 * 20, 24 * 28].map((hours) => ({ ...event, date: hoursAgo(hours) })),
    { ...event, type: 'receive', ip: '2001:db8::7', bot: ['VPN', 'PROXY'], user_agent: hostileText, body_response: [1, null, 'ß'] },
    { ...event, type: 'error', error: { message: longText(2_000) }, date: hoursAgo(5) },
    { ...event, type: 'track', is_qa: true, client_uid: '' },
  ]);
  const deliveries = [client.client_uid, 'unknown-client', null].flatMap((client_uid, at) =>
    ['success', 'error', 'pending'].map((status) => ({ row: { bundle, client_uid, status, error: hostileText }, at: hoursAgo(at + 0.5) })),
  );
  const pushes = deliveries.map(({ row, at }) => ({ ...row, id: randomUUID(), push_id: hostileText, send_at: at }));
  await handInRows(server, 'pushes', pushes);
  const deposit = { stream_uid: 'st-hostile', status_conversion: 'deposit', payout: 123456.789 };
  const conversions = deliveries.map(({ row, at }) => ({ ...row, ...deposit, id: randomUUID(), created_at: at }));
  await handInRows(server, 'conversions', conversions);
}

/** Hands in one event of each of the last hours. */
export async function handInHours({ url }: Caller, { serverToken }: FilledApps): Promise<void> {
  const events = [0, 1, 2, 3].map((hours) => ({ bundle, client_uid: 'hourly', type: 'create', country: 'XK', date: hoursAgo(hours) }));
  await handIn({ url, serverToken }, events);
}

type Run = { id: number };

/** The run once it is in a state. */
function runIn(state: BulkState, admin: Caller, { id }: Run): Promise<Run> {
  return until(`a bulk run to be ${state}`, async () => {
    const run = await call(admin, getBulkRun, { params: { id } });
    return run.state === state ? run : null;
  });
}

/** Blocks addresses, networks and autonomous systems, and changes apps in bulk: done, undone, cancelled, and checked only. */
export async function fillBlocks(admin: Caller, { ids }: FilledApps): Promise<void> {
  await call(admin, addBlackListEntries, { body: { entries: ['192.0.2.7', '2001:db8:99::1'], reason: hostileText, source: 'Import' } });
  await call(admin, addBlackListEntries, { body: { entries: ['198.18.0.0/15', '2001:db8:9::/48'], reason: longText(1_000) } });
  await call(admin, addBlackListEntries, { body: { entries: ['233.252.0.0/26', '198.51.100.99'], expires_in_hours: 720 } });
  for (const { code: asn } of await call(admin, listAsns, { query: { limit: 2 } })) {
    await call(admin, banAsn, { params: { asn }, body: { isBanCreate: true } });
    await call(admin, explainAsnBan, { params: { asn }, body: { reason: hostileText } });
  }
  const change = { action: 'app.set', params: { vertical: 'fantasy' } } as const;
  const check = () => call(admin, checkBulk, { body: { change, target: { keys: ids.map(String) } } });
  const start = async (run: Run) => {
    await runIn('ready', admin, run);
    await call(admin, startBulkRun, { params: { id: run.id } });
    return runIn('done', admin, run);
  };
  const done = await start(await check());
  await start(await call(admin, undoBulkRun, { params: { id: done.id } }));
  const cancelled = await runIn('ready', admin, await check());
  await call(admin, cancelBulkRun, { params: { id: cancelled.id } });
  await runIn('ready', admin, await check());
}

import type { BenchContext } from './bench-context.ts';
import { limitMeasure, type Measure, ratioMeasure, shownMeasure } from './report.ts';
import { sampleInTurn } from './sample.ts';

/** What a page of requests reads of each. */
export const rawColumns = `id, uuid, app_id, type, occurred_at, ip, country, client_uid, stream_uid, bot, postbacks_domain, user_agent,
  body_request, body_response, error, additional_data`;
/** The newest 50 requests straight from the table. */
export const rawNewest = `select ${rawColumns} from events order by occurred_at desc, id desc limit 50`;
const rawOfApp = `select ${rawColumns} from events where app_id = $1 order by occurred_at desc, id desc limit 50`;
const rounds = 300;

/** The newest requests of all apps and of one app, each against the same rows by the raw driver. */
export async function measureLists({ admin, ofOneApp, raw, appId, repeat }: BenchContext): Promise<Measure[]> {
  const all = await sampleInTurn(repeat(rounds), {
    api: () => admin.get('all-requests'),
    raw: () => raw.query(rawNewest),
    prepared: () => raw.query({ name: 'raw-newest', text: rawNewest }),
    compressed: () => admin.get('all-requests', { 'accept-encoding': 'gzip, deflate, br' }),
  });
  const app = await sampleInTurn(repeat(rounds), {
    api: () => ofOneApp.get('all-requests'),
    raw: () => raw.query(rawOfApp, [appId]),
    prepared: () => raw.query({ name: 'raw-of-app', text: rawOfApp, values: [appId] }),
  });
  return [
    ratioMeasure('list_newest_p50', all.api.p50, 'ms', { baseline: all.raw.p50, atMost: 2 }),
    ratioMeasure('list_newest_p95', all.api.p95, 'ms', { baseline: all.raw.p95 }),
    ratioMeasure('list_newest_p50_against_prepared', all.api.p50, 'ms', { baseline: all.prepared.p50 }),
    shownMeasure('list_newest_compressed_p50', all.compressed.p50, 'ms'),
    ratioMeasure('list_one_app_p50', app.api.p50, 'ms', { baseline: app.raw.p50, atMost: 3 }),
    ratioMeasure('list_one_app_p95', app.api.p95, 'ms', { baseline: app.raw.p95 }),
    ratioMeasure('list_one_app_p50_against_prepared', app.api.p50, 'ms', { baseline: app.prepared.p50 }),
  ];
}

/** Filters from common to rare, and the other sorts: none of them may wait for a walk through all events. */
export async function measureFilters({ admin, ofOneApp, ofSomeApps, appId, repeat }: BenchContext): Promise<Measure[]> {
  const paths = {
    list_filter_type: () => admin.get('all-requests?type=create'),
    list_filter_error: () => admin.get('all-requests?type=error'),
    list_filter_country: () => admin.get('all-requests?geo=IS'),
    list_filter_rare: () => admin.get(`all-requests?type=error&geo=IS,NZ&streamUid=st_${appId}_1`),
    list_filter_empty_domain: () => admin.get('all-requests?emptyPostbacksDomain=1&type=proxy'),
    list_some_apps_filter: () => ofSomeApps.get('all-requests?type=create,track&geo=DE,KR,IS'),
    list_one_app_filter: () => ofOneApp.get('all-requests?type=create,track&geo=DE,KR,IS'),
    list_one_app_filter_rare: () => ofOneApp.get(`all-requests?type=proxy&geo=NZ&streamUid=st_${appId}_1,st_${appId}_2`),
    list_sort_id: () => admin.get('all-requests?orderBy=id'),
    list_sort_type: () => admin.get('all-requests?orderBy=type'),
    list_sort_id_filter_rare: () => admin.get(`all-requests?orderBy=id&type=error&geo=IS,NZ&streamUid=st_${appId}_1`),
    list_sort_type_filter: () => admin.get('all-requests?orderBy=type&orderDirection=desc&geo=IS'),
    list_sort_type_one_app: () => ofOneApp.get('all-requests?orderBy=type'),
  };
  const found = await sampleInTurn(repeat(rounds / 10), paths);
  return Object.entries(found).map(([name, durations]) => limitMeasure(`${name}_p50`, durations.p50, 'ms', 25));
}

/** Pages by cursor, the next ones and one half-way down, cost what the first costs. */
export async function measurePaging({ admin, repeat }: BenchContext): Promise<Measure[]> {
  const halfWay = new Date(Date.now() - 45 * 86_400_000).toISOString().slice(0, 10);
  // A cursor is a place in the list of whatever filter, so this one leads to the middle of the list without any.
  const far: unknown = (await admin.get(`all-requests?endDate=${halfWay}`)).body.pagination.next_cursor;
  let cursor = '';
  const found = await sampleInTurn(repeat(rounds / 3), {
    first: () => admin.get('all-requests'),
    next: async () => {
      const { body } = await admin.get(`all-requests?cursor=${cursor}`);
      cursor = body.pagination.next_cursor ?? '';
    },
    far: () => admin.get(`all-requests?cursor=${String(far)}`),
  });
  const baseline = found.first.p50;
  return [
    ratioMeasure('list_next_page_p50', found.next.p50, 'ms', { baseline, atMost: 1.5 }),
    ratioMeasure('list_far_page_p50', found.far.p50, 'ms', { baseline, atMost: 1.5 }),
  ];
}

/** Rows found by an address and by a client uid, each round another one. */
export async function measureSearch({ admin, raw, repeat }: BenchContext): Promise<Measure[]> {
  const { rows } = await raw.query<{ ip: string; client_uid: string }>(
    `select host(ip) as ip, client_uid from events where id = any($1::bigint[])`,
    [await someIds(raw)],
  );
  const at = (round: number) => rows[round % rows.length];
  const found = await sampleInTurn(repeat(rounds), {
    ip: (round) => admin.get(`all-requests?search=${at(round)?.ip}`),
    uid: (round) => admin.get(`all-requests?search=${at(round)?.client_uid}`),
    exact: (round) => admin.get(`all-requests?clientId=${at(round)?.client_uid}`),
    prefix: (round) => admin.get(`all-requests?search=${at(round)?.client_uid.slice(0, 6)}`),
    block: (round) => admin.get(`all-requests?search=${at(round)?.ip}/16`),
    wide: () => admin.get(`all-requests?search=0.0.0.0/0`),
  });
  return [
    limitMeasure('search_ip_p50', found.ip.p50, 'ms', 5),
    limitMeasure('search_client_uid_p50', found.uid.p50, 'ms', 5),
    limitMeasure('search_client_id_exact_p50', found.exact.p50, 'ms', 5),
    limitMeasure('search_client_uid_prefix_p50', found.prefix.p50, 'ms', 25),
    limitMeasure('search_ip_block_p50', found.block.p50, 'ms', 25),
    limitMeasure('search_every_ip_p50', found.wide.p50, 'ms', 25),
  ];
}

async function someIds(raw: BenchContext['raw']): Promise<number[]> {
  const { rows } = await raw.query<{ last: number }>('select max(id) as last from events');
  const last = rows[0]?.last ?? 1;
  return Array.from({ length: 200 }, () => 1 + Math.floor(Math.random() * last));
}

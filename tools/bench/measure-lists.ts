import type { BenchContext } from './bench-context.ts';
import { registryLoaded } from './measure-asns.ts';
import { limitMeasure, type Measure, ratioMeasure, shownMeasure } from './report.ts';
import { sampleInTurn } from './sample.ts';

const rounds = 300;

/** The newest requests of all apps and of one app, each against the same rows by the raw driver. */
export async function measureLists({ admin, ofOneApp, events, appId, repeat }: BenchContext): Promise<Measure[]> {
  const { preparedQueries } = events;
  const all = await sampleInTurn(repeat(rounds), {
    api: () => admin.get('all-requests'),
    raw: () => events.newest(),
    compressed: () => admin.get('all-requests', { 'accept-encoding': 'gzip, deflate, br' }),
    prepared: () => (preparedQueries ?? events).newest(),
  });
  const app = await sampleInTurn(repeat(rounds), {
    api: () => ofOneApp.get('all-requests'),
    raw: () => events.newestOf(appId),
    prepared: () => (preparedQueries ?? events).newestOf(appId),
  });
  const againstPrepared = (name: string, durationsOfApp: typeof app) =>
    preparedQueries === null
      ? []
      : [ratioMeasure(`${name}_p50_against_prepared`, durationsOfApp.api.p50, 'ms', { baseline: durationsOfApp.prepared.p50 })];
  return [
    ratioMeasure('list_newest_p50', all.api.p50, 'ms', { baseline: all.raw.p50, atMost: 2 }),
    ratioMeasure('list_newest_p95', all.api.p95, 'ms', { baseline: all.raw.p95 }),
    ...againstPrepared('list_newest', all),
    shownMeasure('list_newest_compressed_p50', all.compressed.p50, 'ms'),
    ratioMeasure('list_one_app_p50', app.api.p50, 'ms', { baseline: app.raw.p50, atMost: 3 }),
    ratioMeasure('list_one_app_p95', app.api.p95, 'ms', { baseline: app.raw.p95 }),
    ...againstPrepared('list_one_app', app),
  ];
}

/** Filters from common to rare, and the other sorts: none of them may scan all events. */
export async function measureFilters({ admin, ofOneApp, ofSomeApps, appId, targets, repeat }: BenchContext): Promise<Measure[]> {
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
  const samples = await sampleInTurn(repeat(rounds / 10), paths);
  return Object.entries(samples).map(([name, durations]) => limitMeasure(`${name}_p50`, durations.p50, 'ms', targets.list));
}

/** Pages by cursor, the next ones and one half-way down, cost what the first costs. */
export async function measurePaging({ admin, repeat }: BenchContext): Promise<Measure[]> {
  const halfWay = new Date(Date.now() - 45 * 86_400_000).toISOString().slice(0, 10);
  // A cursor is a place in the list of whatever filter, so this one leads to the middle of the list without any.
  const far: unknown = (await admin.get(`all-requests?endDate=${halfWay}`)).body.pagination.next_cursor;
  let cursor = '';
  const durations = await sampleInTurn(repeat(rounds / 3), {
    first: () => admin.get('all-requests'),
    next: async () => {
      const { body } = await admin.get(`all-requests?cursor=${cursor}`);
      cursor = body.pagination.next_cursor ?? '';
    },
    far: () => admin.get(`all-requests?cursor=${String(far)}`),
  });
  const baseline = durations.first.p50;
  return [
    ratioMeasure('list_next_page_p50', durations.next.p50, 'ms', { baseline, atMost: 1.5 }),
    ratioMeasure('list_far_page_p50', durations.far.p50, 'ms', { baseline, atMost: 1.5 }),
  ];
}

/** Rows found by an address and by a client uid, each round another one. */
export async function measureSearch({ admin, events, targets, repeat }: BenchContext): Promise<Measure[]> {
  const rows = await events.someClients();
  const at = (round: number) => rows[round % rows.length];
  const durations = await sampleInTurn(repeat(rounds), {
    ip: (round) => admin.get(`all-requests?search=${at(round)?.ip}`),
    uid: (round) => admin.get(`all-requests?search=${at(round)?.client_uid}`),
    exact: (round) => admin.get(`all-requests?clientId=${at(round)?.client_uid}`),
    prefix: (round) => admin.get(`all-requests?search=${at(round)?.client_uid.slice(0, 6)}`),
    block: (round) => admin.get(`all-requests?search=${at(round)?.ip}/16`),
    wide: () => admin.get(`all-requests?search=0.0.0.0/0`),
  });
  return [
    limitMeasure('search_ip_p50', durations.ip.p50, 'ms', targets.search),
    limitMeasure('search_client_uid_p50', durations.uid.p50, 'ms', targets.search),
    limitMeasure('search_client_id_exact_p50', durations.exact.p50, 'ms', targets.search),
    limitMeasure('search_client_uid_prefix_p50', durations.prefix.p50, 'ms', targets.list),
    limitMeasure('search_ip_block_p50', durations.block.p50, 'ms', targets.list),
    limitMeasure('search_every_ip_p50', durations.wide.p50, 'ms', targets.list),
  ];
}

/** One request by its id, each round another one of the whole time, and a page with the origin of its rows. */
export async function measureRequests({ admin, raw, targets, repeat }: BenchContext): Promise<Measure[]> {
  await registryLoaded(raw);
  const ends = [1, 30, 60, 85].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));
  const pages = await Promise.all(ends.map(async (end) => admin.get(`all-requests?endDate=${end}`)));
  const ids: number[] = pages.flatMap(({ body }) => body.data.map((row: { id: number }) => row.id));
  const durations = await sampleInTurn(repeat(rounds), {
    one: (round) => admin.get(`requests/${ids[(round * 7) % ids.length]}`),
    plain: () => admin.get('all-requests'),
    origin: () => admin.get('all-requests?origin=1'),
  });
  return [
    limitMeasure('request_by_id_p50', durations.one.p50, 'ms', targets.list),
    shownMeasure('request_by_id_p95', durations.one.p95, 'ms'),
    ratioMeasure('list_origin_p50', durations.origin.p50, 'ms', { baseline: durations.plain.p50 }),
  ];
}

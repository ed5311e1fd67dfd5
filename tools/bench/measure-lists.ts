import type { BenchContext } from './bench-context.ts';
import { busiestClient } from './load-events.ts';
import { registryLoaded } from './measure-administration.ts';
import type { Measure } from './report.ts';
import { against, dayAgo, each, shown, timeCalls, within } from './time-calls.ts';

const rounds = 300;

/** The newest requests of all apps and of one app, each against the same rows by the raw driver. */
export async function measureLists({ admin, ofOneApp, events, appId, repeat }: BenchContext): Promise<Measure[]> {
  const prepared = events.preparedQueries;
  const againstPrepared = prepared === null ? [] : [against('prepared', undefined, { as: 'p50_against_prepared' })];
  return [
    ...(await timeCalls(repeat(rounds), {
      list_newest: [() => admin.get('all-requests'), against('raw', 2), against('raw', undefined, { share: 'p95' }), ...againstPrepared],
      raw: [() => events.newest()],
      list_newest_compressed: [() => admin.get('all-requests', { 'accept-encoding': 'gzip, deflate, br' }), shown()],
      prepared: [() => (prepared ?? events).newest()],
    })),
    ...(await timeCalls(repeat(rounds), {
      list_one_app: [
        () => ofOneApp.get('all-requests'),
        against('raw', 3),
        against('raw', undefined, { share: 'p95' }),
        ...againstPrepared,
      ],
      raw: [() => events.newestOf(appId)],
      prepared: [() => (prepared ?? events).newestOf(appId)],
    })),
  ];
}

/** Filters from common to rare, and the other sorts: none of them may scan all events. */
export async function measureFilters({ admin, ofOneApp, ofSomeApps, appId, targets, repeat }: BenchContext): Promise<Measure[]> {
  const calls = {
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
  return timeCalls(repeat(rounds / 10), each(calls, within(targets.list)));
}

/** Pages by cursor, the next ones and one half-way down, cost what the first costs. */
export async function measurePaging({ admin, repeat }: BenchContext): Promise<Measure[]> {
  // A cursor is a place in the list of whatever filter, so this one leads to the middle of the list without any.
  const far: unknown = (await admin.get(`all-requests?endDate=${dayAgo(45)}`)).body.pagination.next_cursor;
  let cursor = '';
  const next = async () => {
    const { body } = await admin.get(`all-requests?cursor=${cursor}`);
    cursor = body.pagination.next_cursor ?? '';
  };
  return timeCalls(repeat(rounds / 3), {
    first: [() => admin.get('all-requests')],
    list_next_page: [next, against('first', 1.5)],
    list_far_page: [() => admin.get(`all-requests?cursor=${String(far)}`), against('first', 1.5)],
  });
}

/** Rows found by an address and by a client uid, each round another one. */
export async function measureSearch({ admin, events, targets, repeat }: BenchContext): Promise<Measure[]> {
  const rows = await events.someClients();
  const at = (round: number) => rows[round % rows.length];
  const search = (textOf: (round: number) => string | undefined) => (round: number) => admin.get(`all-requests?search=${textOf(round)}`);
  return timeCalls(repeat(rounds), {
    search_ip: [search((round) => at(round)?.ip), within(targets.search)],
    search_client_uid: [search((round) => at(round)?.client_uid), within(targets.search)],
    search_client_id_exact: [(round) => admin.get(`all-requests?clientId=${at(round)?.client_uid}`), within(targets.search)],
    search_client_uid_prefix: [search((round) => at(round)?.client_uid.slice(0, 6)), within(targets.list)],
    search_ip_block: [search((round) => `${at(round)?.ip}/16`), within(targets.list)],
    search_every_ip: [search(() => '0.0.0.0/0'), within(targets.list)],
  });
}

/** One request by its id, each round another one of the whole time, and a page with the origin of its rows. */
export async function measureRequests({ admin, raw, targets, repeat }: BenchContext): Promise<Measure[]> {
  await registryLoaded(raw);
  const pages = await Promise.all([1, 30, 60, 85].map(async (days) => admin.get(`all-requests?endDate=${dayAgo(days)}`)));
  const ids: number[] = pages.flatMap(({ body }) => body.data.map((row: { id: number }) => row.id));
  return timeCalls(repeat(rounds), {
    request_by_id: [(round) => admin.get(`requests/${ids[(round * 7) % ids.length]}`), within(targets.list), shown('p95')],
    plain: [() => admin.get('all-requests')],
    list_origin: [() => admin.get('all-requests?origin=1'), against('plain')],
  });
}

/** Milliseconds of a summary, and of a page of a timeline. */
const [summary, page] = [within(50), within(25)];

/** Summary and timeline of a client, and of its address, that have about 10,000 events. */
export async function measureSubjects({ admin, repeat }: BenchContext): Promise<Measure[]> {
  const [client, address] = [`clients/${busiestClient.uid}`, `addresses/${busiestClient.ip}`];
  const { newest } = (await admin.get(`${client}/timeline`)).body.data;
  let cursor = '';
  const nextPage = async () => {
    cursor = (await admin.get(`${client}/timeline?cursor=${cursor}`)).body.pagination.next_cursor ?? '';
  };
  return timeCalls(repeat(rounds / 5), {
    client_summary: [() => admin.get(client), summary],
    address_summary: [() => admin.get(address), summary],
    client_page: [() => admin.get(`${client}/timeline`), page],
    client_next_page: [nextPage, page],
    client_poll: [() => admin.get(`${client}/timeline?after=${newest}`), page],
    address_page: [() => admin.get(`${address}/timeline`), page],
    unseen_client_page: [() => admin.get('clients/nobody/timeline'), page],
  });
}

import type { ApiAnswer } from '../api-client.ts';
import type { BenchContext } from '../bench-context.ts';
import { busiestClient } from '../load-events.ts';
import { dayAgo } from '../time-calls.ts';

type Body = ApiAnswer['body'];

/** How one side is asked: the paths of its calls, made one after the other, and the part of their bodies that both sides share. */
type Side = { paths: (round: number) => readonly string[]; answer: (...bodies: readonly Body[]) => unknown };

/** A kind of work that both sides answer by reading calls. */
export type Question = { name: string; rounds: number; switchyard: Side; directus: Side };

const rounds = 100;
/** Rounds of calls that may take a tenth of a second and more. */
const fewRounds = 20;
const reportDays = 14;
const reportGroups = 1000;

/** A call of Directus for rows of a table. */
export function items(table: string, query: Readonly<Record<string, string | number | object>>): string {
  const texts = Object.entries(query).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
  return `items/${table}?${new URLSearchParams(Object.fromEntries(texts)).toString()}`;
}

const newestFirst = { sort: '-occurred_at,-id', limit: 50 };
const equal = (fields: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { _eq: value }]));
const uuid = (body: Body): unknown => body.data.uuid;

/** The events of a list, which both sides answer alike. */
export function uuids({ data }: Body): unknown {
  return data.map((row: Body) => row.uuid);
}

/** The newest 50 of Directus. */
export const newestPath = items('events', newestFirst);

/** The events of an app as Directus exports them. */
export function exportPath(app: number): string {
  return items('events', { ...newestFirst, filter: equal({ app_id: app }), limit: -1, export: 'csv' });
}

/** The thirteen kinds of work that read JSON. */
export async function questionsOf(context: BenchContext): Promise<Question[]> {
  const { admin, busiestApp } = context;
  const { total } = (await admin.get(`apps/${busiestApp}/postbacks`)).body.pagination;
  return [
    ...(await lists(context)),
    numberedPage(busiestApp, 'first', 1),
    numberedPage(busiestApp, 'last', Math.max(1, Math.ceil(total / 50))),
    await requestById(context),
    report,
    await appsWithCounters(context),
  ];
}

/** Lists of 50 events without a total: the query of the console, and that of Directus. */
async function lists({ admin, appId, events }: BenchContext): Promise<Question[]> {
  const clients = await events.someClients();
  const middle = (await admin.get(`all-requests?endDate=${dayAgo(45)}`)).body;
  const queriesOf = ({ ip, client_uid: uid } = clients[0] ?? { ip: busiestClient.ip, client_uid: busiestClient.uid }) =>
    Object.entries({
      'newest 50': ['', {}],
      'newest 50 of one app': [`appId=${appId}`, { filter: equal({ app_id: appId }) }],
      'page in the middle by position': [
        `cursor=${middle.pagination.next_cursor}`,
        { filter: { id: { _lt: middle.data.at(-1).id } }, sort: '-id' },
      ],
      'filtered by type and country': ['type=create&geo=IS', { filter: equal({ type: 'create', country: 'IS' }) }],
      'sorted by type': ['orderBy=type&orderDirection=desc', { sort: '-type,-id' }],
      'one client': [`clientId=${uid}`, { filter: equal({ client_uid: uid }) }],
      'one address': [`search=${ip}`, { filter: equal({ ip }) }],
      'beginning of a client': [`search=${uid.slice(0, 6)}`, { filter: { client_uid: { _starts_with: uid.slice(0, 6) } } }],
    } as const);
  return queriesOf().map(([name], index) => {
    const queriesAt = (round: number) => queriesOf(clients[round % clients.length])[index]?.[1] ?? ['', {}];
    return {
      name,
      rounds,
      switchyard: { paths: (round) => [`all-requests?${queriesAt(round)[0]}`], answer: uuids },
      directus: { paths: (round) => [items('events', { ...newestFirst, ...queriesAt(round)[1] })], answer: uuids },
    };
  });
}

/** A numbered page of an app, with its total. */
function numberedPage(app: number, name: string, page: number): Question {
  return {
    name: `${name} numbered page of an app, with its total`,
    rounds: page === 1 ? rounds : fewRounds,
    switchyard: { paths: () => [`apps/${app}/postbacks?page=${page}`], answer: (body) => [body.pagination.total, uuids(body)] },
    directus: {
      paths: () => [items('events', { ...newestFirst, filter: equal({ app_id: app }), page, meta: 'filter_count' })],
      answer: (body) => [body.meta.filter_count, uuids(body)],
    },
  };
}

async function requestById({ admin }: BenchContext): Promise<Question> {
  const { data } = (await admin.get('all-requests')).body;
  const idAt = (round: number) => data[round % data.length].id;
  return {
    name: 'one request by its id',
    rounds,
    switchyard: { paths: (round) => [`requests/${idAt(round)}`], answer: uuid },
    directus: { paths: (round) => [`items/events/${idAt(round)}`], answer: uuid },
  };
}

const report: Question = {
  name: `counts by day and app of ${reportDays} days`,
  rounds: fewRounds,
  switchyard: {
    paths: () => [`reports?days=${reportDays}&groupBy=day,app&measure=requests&orderBy=requests&orderDirection=desc&limit=${reportGroups}`],
    answer: (body) =>
      largest(body.data.groups.map(({ keys: [day, app], current }: Body) => [Number(day.value.slice(8)), app.value, current.requests])),
  },
  directus: {
    paths: () => [
      items('events', {
        filter: { occurred_at: { _gte: `${dayAgo(reportDays - 1)}T00:00:00Z` } },
        groupBy: 'day(occurred_at),app_id',
        aggregate: { count: '*' },
        sort: '-count',
        limit: reportGroups,
      }),
    ],
    answer: (body) => largest(body.data.map((row: Body) => [row.occurred_at_day, row.app_id, Number(row.count)])),
  },
};

/** Groups above the smallest count, in an order of their own: it is open which of the smallest ones are among the first. */
function largest(groups: readonly (readonly [day: number, app: number | string, count: number])[]): unknown {
  const least = groups.length < reportGroups ? 0 : Math.min(...groups.map(([, , count]) => count));
  const keys = groups.filter(([, , count]) => count > least).map((group) => group.join(' '));
  return [groups.length, keys.toSorted()];
}

/** A page of apps. Directus counts their events in a second call. */
async function appsWithCounters({ admin }: BenchContext): Promise<Question> {
  const ids = (await admin.get('apps')).body.data.map(({ id }: Body) => id);
  const types = ['create', 'receive'];
  const counts = { filter: { app_id: { _in: ids }, type: { _in: types } }, groupBy: 'app_id,type', aggregate: { count: '*' }, limit: -1 };
  return {
    name: 'page of apps with their counters',
    rounds: fewRounds,
    switchyard: {
      paths: () => ['apps?isCache=0'],
      answer: ({ data }) => data.map(({ id, statistics: { all } }: Body) => [id, ...types.map((type) => all.all_time[type].all)]),
    },
    directus: {
      paths: () => [items('apps', { sort: '-id', limit: ids.length }), items('events', counts)],
      answer: (apps, { data }) => {
        const countOf = (id: number, type: string) => data.find((row: Body) => row.app_id === id && row.type === type)?.count ?? 0;
        return apps.data.map(({ id }: Body) => [id, ...types.map((type) => Number(countOf(id, type)))]);
      },
    },
  };
}

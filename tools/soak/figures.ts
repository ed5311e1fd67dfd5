import { emptyCounterSet } from '@switchyard/contract/app-statistics';
import { appRow } from '@switchyard/contract/apps';
import { report } from '@switchyard/contract/reports';
import { requestHistogram, requestTypes } from '@switchyard/contract/requests';
import { z } from 'zod';
import type { Target } from '../console/clients.ts';
import { send } from '../console/console-under-load.ts';
import { countEvents, type EventCounts } from './ledger.ts';

/** A call had another status than 200, or an answer without the figure. */
export class CallFailed extends Error {
  override name = 'CallFailed';
  readonly status: number;

  constructor(path: string, status: number, text: string) {
    super(`${path.replaceAll(/\d+/g, 'N')}: ${status} ${text.slice(0, 200)}`);
    this.status = status;
  }
}

/** Numbers by name that a screen shows, and what a ledger says that they are. */
export type Figure = {
  name: string;
  read: (target: Target) => Promise<Readonly<Record<string, number>>>;
  expected: (counts: EventCounts) => Readonly<Record<string, number>>;
};

async function read<Schema extends z.ZodType>(target: Target, path: string, data: Schema): Promise<z.output<Schema>> {
  const { status, text } = await send(target.url, path, target.staff);
  if (status !== 200) throw new CallFailed(path, status, text);
  return data.parse(JSON.parse(text));
}

const page = z.object({ pagination: z.object({ total: z.int() }) });
const appsPage = z.object({ data: z.tuple([appRow]) });
const histogram = z.object({ data: requestHistogram });
const reportAnswer = z.object({ data: report });

function listTotal(app: number, type: string): Figure {
  const path = `apps/${app}/postbacks?type=${type}&limit=10`;
  return {
    name: 'list',
    read: async (target) => ({ [`${app} ${type}`]: (await read(target, path, page)).pagination.total }),
    // The filter by the type error finds every event that has an error.
    expected: (counts) => ({
      [`${app} ${type}`]:
        type === 'error' ? countEvents(counts, { apps: [app], part: 'failed' }) : countEvents(counts, { apps: [app], types: [type] }),
    }),
  };
}

/** All-time counters of an app, which the apps list shows. */
function statisticsOf(app: number, bundle: string): Figure {
  const path = `apps?isCache=0&search=${bundle}`;
  return {
    name: 'statistics',
    async read(target) {
      const [{ statistics }] = (await read(target, path, appsPage)).data;
      // Zeros stand for counters that an unavailable event store cannot count.
      if (statistics.missing !== undefined) throw new CallFailed(path, 503, `without ${statistics.missing.join(', ')}`);
      const { create, receive } = statistics.all.all_time ?? emptyCounterSet();
      return { create: create.all, create_ok: create.success, receive: receive.all, receive_ok: receive.success };
    },
    expected: (counts) => ({
      create: countEvents(counts, { apps: [app], types: ['create'] }),
      create_ok: countEvents(counts, { apps: [app], types: ['create'], part: 'ok' }),
      receive: countEvents(counts, { apps: [app], types: ['receive'] }),
      receive_ok: countEvents(counts, { apps: [app], types: ['receive'], part: 'ok' }),
    }),
  };
}

function histogramOf(path: string, apps: readonly number[]): Figure {
  return {
    name: 'histogram',
    async read(target) {
      const { data } = await read(target, `${path}/histogram?range=list`, histogram);
      const sum = (type: (typeof requestTypes)[number]): number => data.buckets.reduce((all, { counts }) => all + counts[type], 0);
      return Object.fromEntries(requestTypes.map((type) => [type, sum(type)]));
    },
    expected: (counts) => Object.fromEntries(requestTypes.map((type) => [type, countEvents(counts, { apps, types: [type] })])),
  };
}

/** Requests and successful ones of a group of a report. */
function reportValues(name: string, { requests = 0, requests_success: ok = 0 }: Readonly<Record<string, unknown>> = {}) {
  return { [name]: Number(requests), [`${name} ok`]: Number(ok) };
}

function reportCounts(name: string, counts: EventCounts, part: { apps: readonly number[]; types?: readonly string[] }) {
  return reportValues(name, { requests: countEvents(counts, part), requests_success: countEvents(counts, { ...part, part: 'ok' }) });
}

const reportPath = 'reports?measure=requests,requests_success&limit=1000';

function reportOfDays(apps: readonly number[]): Figure {
  return {
    name: 'report of days',
    read: async (target) => reportValues('total', (await read(target, reportPath, reportAnswer)).data.totals.current),
    expected: (counts) => reportCounts('total', counts, { apps }),
  };
}

function reportOfApps(apps: readonly number[]): Figure {
  const groups = apps.flatMap((app) => requestTypes.map((type) => ({ name: `${app} ${type}`, apps: [app], types: [type] })));
  return {
    name: 'report of apps and types',
    async read(target) {
      const { data } = await read(target, `${reportPath}&groupBy=app,type`, reportAnswer);
      // Groups without events are missing.
      const found = new Map(data.groups.map(({ keys, current }) => [keys.map(({ value }) => value).join(' '), current]));
      return Object.assign({}, ...groups.map(({ name }) => reportValues(name, found.get(name))));
    },
    expected: (counts) => Object.assign({}, ...groups.map(({ name, ...part }) => reportCounts(name, counts, part))),
  };
}

/** An app that events are sent for. */
export type SoakApp = { id: number; bundle: string };

/** All figures of these apps that the screens show. */
export function figuresOf(apps: readonly SoakApp[]): Figure[] {
  const ids = apps.map(({ id }) => id);
  return [
    ...ids.flatMap((id) => requestTypes.map((type) => listTotal(id, type))),
    ...apps.map(({ id, bundle }) => statisticsOf(id, bundle)),
    ...ids.map((id) => histogramOf(`apps/${id}/postbacks`, [id])),
    histogramOf('all-requests', ids),
    reportOfApps(ids),
    reportOfDays(ids),
  ];
}

/** Ids of the events in the CSV download of an app. */
export async function download(target: Target, { id }: SoakApp): Promise<string[]> {
  const path = `apps/${id}/postbacks/download`;
  const { status, text } = await send(target.url, path, target.staff);
  if (status !== 200) throw new CallFailed(path, status, text);
  const [header = '', ...lines] = text.trimEnd().split('\r\n');
  const column = header.split(',').indexOf('uuid');
  return lines.map((line) => line.split(',')[column] ?? '');
}

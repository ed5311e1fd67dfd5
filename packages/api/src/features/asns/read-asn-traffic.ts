import { type AsnTraffic, asnTrafficDays } from '@switchyard/contract/asns';
import { addDays, dayOf, dayRange, fromDate } from '@switchyard/contract/dates';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import type { EventFigures, EventStore } from '@switchyard/traffic-store/event-store';
import { findAppLabels } from '../apps/apps-lookup.ts';

export type AsnTrafficDeps = {
  db: Databases['db'];
  eventStore: Pick<EventStore, 'countGroups' | 'findTopValues' | 'countEvents'>;
  now: () => Date;
  /** Offset `+HH:MM` in which the server cuts days. */
  serverOffset: string;
};

/** So many apps are named. */
const mostApps = 5;
/** More than days and types can make. */
const mostGroups = 1000;

/** The requests of a system in the last days, of the apps in a scope. Every figure comes from the counts by system. */
export async function readAsnTraffic(deps: AsnTrafficDeps, { code, scope }: { code: number; scope: AppScope }): Promise<AsnTraffic> {
  const { db, eventStore } = deps;
  const { from, to, span } = lastDays(deps, asnTrafficDays);
  const filter = { scope, asns: [String(code)], ...span };
  const groups = [...(await eventStore.countGroups({ filter, by: ['day', 'type'], limit: mostGroups }))];
  const { values } = await eventStore.findTopValues({ filter, field: 'app', limit: mostApps });
  const labels = await findAppLabels(
    db,
    values.map(({ value }) => Number(value)),
  );
  const ofType = (wanted: string) => sum(groups.filter(({ keys: [, type] }) => type === wanted));
  return {
    code,
    from,
    to,
    total: { ...sum(groups), bots: groups.reduce((bots, group) => bots + group.bots, 0) },
    days: Array.from({ length: asnTrafficDays }, (_, index) => {
      const day = addDays(from, index);
      return { day, ...sum(groups.filter(({ keys }) => keys[0] === day)) };
    }),
    apps: values.map(({ value, count }) => ({ id: Number(value), name: labels.get(Number(value))?.name ?? null, requests: count })),
    ban: { create: ofType('create'), receive: ofType('receive') },
    unknown: await eventStore.countEvents({ scope, asns: [''], ...span }),
  };
}

/** The last days of the server's offset, today included. */
export function lastDays({ now, serverOffset }: Pick<AsnTrafficDeps, 'now' | 'serverOffset'>, days: number) {
  const to = dayOf(fromDate(now()), serverOffset);
  const from = addDays(to, 1 - days);
  return { from, to, span: { from: dayRange(from, serverOffset).from, until: dayRange(to, serverOffset).until } };
}

function sum(groups: readonly EventFigures[]): { requests: number; successes: number } {
  return {
    requests: groups.reduce((requests, { events }) => requests + events, 0),
    successes: groups.reduce((total, { successes }) => total + successes, 0),
  };
}

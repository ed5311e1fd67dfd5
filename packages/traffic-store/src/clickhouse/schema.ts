import type { CounterFigures } from '../event-counters.ts';
import { flag } from '../event-flags.ts';
import type { groupFigures } from '../grouped-counts.ts';
import type { TypeFigure } from '../event-store.ts';

/** Success is no error and no bot. */
const outcome = `bitAnd(flags, ${flag.error | flag.bot})`;
/** Selects successes. */
export const succeeds = `${outcome} = 0`;
/** How each figure of counters is counted; `by_total` keeps exactly these expressions. */
export const figureSql: Readonly<Record<keyof CounterFigures, string>> = {
  creates: `countIf(type = 'create')`,
  creates_ok: `countIf(type = 'create' and ${succeeds})`,
  receives: `countIf(type = 'receive')`,
  receives_ok: `countIf(type = 'receive' and ${succeeds})`,
  bots: `countIf(bitAnd(flags, ${flag.bot}) = ${flag.bot})`,
  bots_ok: `countIf(${outcome} = ${flag.bot})`,
};
/** How each figure of groups is counted; `by_app_day` and `by_week` keep exactly these expressions. */
export const groupFigureSql: Readonly<Record<(typeof groupFigures)[number], string>> = {
  requests: 'count()',
  successes: `countIf(${succeeds})`,
  bots: figureSql.bots,
};
/** The expression for a figure of a type; null if these projections do not count it. */
export function typeFigureSql({ type, succeeded }: TypeFigure): string | null {
  if (type === 'create') return succeeded ? figureSql.creates_ok : figureSql.creates;
  if (type === 'receive') return succeeded ? figureSql.receives_ok : figureSql.receives;
  return type === 'error' && !succeeded ? `countIf(type = 'error')` : null;
}
/** Selects the events of testers, as `by_total` counts them. */
export const isQa = `bitAnd(flags, ${flag.qa})`;

/**
 * Projections that the engine keeps beside the events, in the same parts as the events themselves, so that a count cannot drift from its rows.
 * `by_…` count; `of_…` hold the places of events in another order. The migrations define them.
 */
export const projections = [
  'by_hour',
  'by_app_hour',
  'by_country_hour',
  'by_app_country_hour',
  'by_stream_hour',
  'by_asn_hour',
  'by_seen',
  'by_total',
  'by_app',
  'by_app_day',
  'by_week',
  'of_app',
  'of_client',
  'of_ip',
] as const;
export type Projection = (typeof projections)[number];

/** A name as the engine reads it. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll(/[`\\]/g, '\\$&')}\``;
}

/** The table of events as statements that change it name it: on a cluster, that of each server. */
export function changedTable(cluster: string | null): string {
  return cluster === null ? 'events' : `events_local on cluster ${quoteName(cluster)}`;
}

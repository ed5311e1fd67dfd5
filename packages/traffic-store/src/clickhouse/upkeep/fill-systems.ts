import { dayOf } from '@switchyard/contract/dates';
import { randomUUID } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { SystemOf, UndecidedSystems } from '../../event-store.ts';
import { hour, weekOf } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { newParameters, using } from '../statement.ts';
import { onSession } from '../write/app-locks.ts';
import type { Engine } from '../write/settle-batches.ts';

/** Advisory lock of PostgreSQL: one process at a time fills the table of addresses. */
const lockKey = 7_300_222;
/** Addresses of a step: the engine holds them in memory. */
const usualAddresses = 200_000;
const pollMilliseconds = 200;
const mapped = '::ffff:';

/** Hours with events without a system, in microseconds, and how many there are. */
async function listUndecidedHours(engine: EngineClient): Promise<{ starts: number; events: number }[]> {
  const lines = await engine.lines({
    text: `select toUnixTimestamp(toStartOfHour(occurred_at)) as starts, count() from events where asn = '' group by toStartOfHour(occurred_at)
      ${using('by_asn_hour')}`,
    parameters: newParameters(),
  });
  return lines.map((line) => line.split('\t').map(Number)).map(([starts = 0, events = 0]) => ({ starts: starts * 1_000_000, events }));
}

function newestOf(hours: readonly { starts: number }[]): number | null {
  return hours.length === 0 ? null : Math.max(...hours.map(({ starts }) => starts));
}

/** Counts the events without a system, and finds the newest day that has some. */
export async function countUndecidedSystems(engine: EngineClient, offset: string): Promise<UndecidedSystems> {
  const hours = await listUndecidedHours(engine);
  const [total] = await engine.lines({ text: 'select count() from events', parameters: newParameters() });
  const newest = newestOf(hours);
  return {
    events: hours.reduce((sum, { events }) => sum + events, 0),
    total: Number(total),
    newestDay: newest === null ? null : dayOf(newest + hour - 1, offset),
  };
}

/**
 * Decides the systems of the events of the newest week with events without one: of all, or of those with some of its addresses. False: all
 * have one. The engine writes the column and its projection anew for each part and puts the new part in the place of the old one at once, so
 * counts cannot drift. It continues an update by itself after a restart; the next step waits for it.
 */
export async function fillSystems({ engine, cluster }: Engine, pool: pg.Pool, step: FillStep): Promise<boolean> {
  if (cluster !== null) return false;
  return onSession(pool, async (client) => {
    const { rows } = await client.query<{ isTaken: boolean }>('select pg_try_advisory_lock($1) as "isTaken"', [lockKey]);
    if (rows[0]?.isTaken === true) return fillSome(engine, step);
    // The step of the other process counts as one.
    await wait(pollMilliseconds, undefined, { signal: step.signal });
    return true;
  });
}

type FillStep = { systemOf: SystemOf; signal: AbortSignal; addresses?: number | undefined };

async function fillSome(engine: EngineClient, { systemOf, signal, addresses = usualAddresses }: FillStep): Promise<boolean> {
  await waitForUpdate(engine, signal);
  const newest = newestOf(await listUndecidedHours(engine));
  if (newest === null) return false;
  const week = dayOf(weekOf(newest), '+00:00');
  const parameters = newParameters();
  const lines = await engine.stream(
    {
      text: `select distinct ip from events where asn = '' and _partition_value.1 = ${parameters.add(week, 'Date')} limit ${addresses} ${using(null)}`,
      parameters,
    },
    signal,
  );
  const values: [string, string][] = [];
  for await (const ips of lines) for (const ip of ips) values.push([ip, systemOf(withoutMapping(ip))]);
  await engine.command('truncate table asn_of_addresses');
  await engine.insert({ table: 'asn_of_addresses', columns: ['ip', 'asn'], values, queryId: `${engine.database}-fill-${randomUUID()}` });
  const [database] = await engine.lines({ text: 'select currentDatabase()', parameters: newParameters() });
  // Addresses that the table does not have give '': their events are found by the next step.
  await engine.command(
    `alter table events update asn = joinGet('${database}.asn_of_addresses', 'asn', ip) in partition '${week}' where asn = ''`,
    { mutations_sync: '0' },
  );
  await waitForUpdate(engine, signal);
  await engine.command('truncate table asn_of_addresses');
  return true;
}

/** The engine holds IPv4 mapped into IPv6. */
function withoutMapping(ip: string): string {
  const rest = ip.slice(mapped.length);
  return ip.startsWith(mapped) && isIPv4(rest) ? rest : ip;
}

/** Waits until no such update runs. One that fails is ended, because the engine would try it again for ever. */
async function waitForUpdate(engine: EngineClient, signal: AbortSignal): Promise<void> {
  const isOurs = `database = currentDatabase() and table = 'events' and command like '%asn_of_addresses%' and not is_done`;
  for (;;) {
    const reasons = await engine.lines({
      text: `select replaceAll(latest_fail_reason, '\\n', ' ') from system.mutations where ${isOurs}`,
      parameters: newParameters(),
    });
    if (reasons.length === 0) return;
    const failure = reasons.find((reason) => reason !== '');
    if (failure !== undefined) {
      await engine.command(`kill mutation where ${isOurs}`);
      throw new Error(`ClickHouse: update of systems failed (${failure})`);
    }
    await wait(pollMilliseconds, undefined, { signal });
  }
}

import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { setTimeout as wait } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type pg from 'pg';
import { mapInSlices } from '../../map-in-slices.ts';
import { type EventColumn, type NewEvent, toListedEnd } from '../../event-fields.ts';
import { flagsOf } from '../../event-flags.ts';
import type { StoredBatch } from '../../event-store.ts';
import { day, hour } from '../../time-buckets.ts';
import { filteredColumns } from '../../value-filters.ts';
import { DroppedWeek, isEngineRejection } from '../engine-errors.ts';
import { instant } from '../event-conditions.ts';
import { newParameters, using } from '../statement.ts';
import { withAppLocks } from './app-locks.ts';
import { type Engine, insertName, type OpenBatch, openBatchColumns, settleBatch, voidStatement } from './settle-batches.ts';

export type WriterOptions = Engine & {
  /** Each group takes one connection for as long as it runs. */
  pool: pg.Pool;
};

/** How long the next group waits for the callers of the one before: a part of the time that it took, in milliseconds at most. */
const rest = { share: 0.1, most: 20 };

/** A new event as the engine gets it, but for its id and its batch, which are known when it is inserted. */
type FormattedEvent = Pick<NewEvent, 'app_id' | 'occurred_at' | 'uuid'> & {
  /** Values of the own columns behind id and batch, in JSON. */
  columns: string;
  /** The rest of `row` behind the id, as a part of a JSON text. */
  listedEnd: string;
};

type Caller = { events: readonly FormattedEvent[]; resolve: (batch: StoredBatch) => void; reject: (error: unknown) => void };

/** Rows that are stored together at most; one batch may have more. */
const groupRows = 20_000;

/**
 * Stores batches, each row once, through any number of processes. What arrives while a group of batches is being stored is the next
 * group, because an insert costs the same for few rows and for many.
 */
export function createEventWriter(options: WriterOptions): (rows: readonly NewEvent[]) => Promise<StoredBatch> {
  const waitingCallers: Caller[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waitingCallers.length > 0) {
      const group = takeGroup(waitingCallers);
      const began = performance.now();
      await storeGroup(options, group);
      // Senders wait for their answers. Without a rest, few that wait already would make a small group, and the others the next.
      if (group.length > 1 && rowsOf(waitingCallers) < rowsOf(group))
        await wait(Math.min(rest.most, rest.share * (performance.now() - began)));
    }
    isRunning = false;
  }

  return async (rows) => {
    // Before the turn of its group: the engine is inserting the group before meanwhile.
    const events = await mapInSlices(rows, formatEvent);
    return new Promise((resolve, reject) => {
      waitingCallers.push({ events, resolve, reject });
      if (!isRunning) void run();
    });
  };
}

function rowsOf(callers: readonly Caller[]): number {
  return callers.reduce((sum, { events }) => sum + events.length, 0);
}

function takeGroup(waiting: Caller[]): Caller[] {
  let rows = 0;
  const end = waiting.findIndex((caller) => (rows += caller.events.length) > groupRows);
  return waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end));
}

/** Stores the batches of callers and answers each of them; one that is rejected does not fail the others. */
async function storeGroup(options: WriterOptions, callers: readonly Caller[]): Promise<void> {
  try {
    const storedCounts = await storeBatches(
      options,
      callers.map(({ events }) => events),
    );
    for (const [index, { events, resolve }] of callers.entries()) {
      const acceptedCount = storedCounts[index] ?? 0;
      resolve({ accepted: acceptedCount, duplicates: events.length - acceptedCount });
    }
  } catch (error) {
    const isOfOne = isEngineRejection(error) || error instanceof DroppedWeek;
    if (isOfOne && callers.length > 1) for (const caller of callers) await storeGroup(options, [caller]);
    else for (const { reject } of callers) reject(error);
  }
}

/** An event, and the batch that brought it first. */
type Arrival = { event: FormattedEvent; batch: number };

/** How many rows of each batch were new. */
async function storeBatches(options: WriterOptions, batches: readonly (readonly FormattedEvent[])[]): Promise<number[]> {
  const acceptedCounts = batches.map(() => 0);
  const arrivals = new Map<string, Arrival>();
  for (const [batch, batchEvents] of batches.entries()) {
    for (const event of batchEvents) {
      const identity = identityOf(event);
      if (!arrivals.has(identity)) arrivals.set(identity, { event, batch });
    }
  }
  if (arrivals.size === 0) return acceptedCounts;
  const events = Array.from(arrivals.values(), ({ event }) => event);
  const appIds = [...new Set(events.map((event) => event.app_id))];
  await withAppLocks(options.pool, appIds, async (client) => {
    await prepare(options, client, { appIds, oldest: Math.min(...times(events)) });
    // At the same time, because both wait: one for the engine, the other for the disk of PostgreSQL. Duplicates leave their ids unused.
    const opening = openBatch(client, appIds, events);
    const lookUp = findStored(options, events);
    // Also after a failure: the connection takes one statement at a time.
    await Promise.allSettled([opening, lookUp]);
    const [openedBatch, storedIdentities] = [await opening, await lookUp];
    for (const identity of storedIdentities) arrivals.delete(identity);
    const fresh = [...arrivals.values()];
    if (fresh.length === 0) {
      await client.query(voidStatement, [openedBatch.seq]);
      return;
    }
    await insertEvents(
      options,
      client,
      openedBatch,
      fresh.map(({ event }) => event),
    );
    for (const { batch } of fresh) acceptedCounts[batch] = (acceptedCounts[batch] ?? 0) + 1;
  });
  return acceptedCounts;
}

/** The order in which the events of a batch get their ids, in PostgreSQL too: live lists show them by id. */
function byTime(a: FormattedEvent, b: FormattedEvent): number {
  return a.occurred_at - b.occurred_at || a.app_id - b.app_id || (a.uuid < b.uuid ? -1 : 1);
}

/** The text in which the engine names an event, too. */
function identityOf({ app_id, occurred_at, uuid }: FormattedEvent): string {
  return `${app_id}\t${occurred_at}\t${uuid}`;
}

function times(events: readonly FormattedEvent[]): Microseconds[] {
  return events.map((event) => event.occurred_at);
}

/** Settles open batches of another writer of these apps: until then it is unknown which of their events are stored. */
async function prepare(
  options: WriterOptions,
  client: pg.ClientBase,
  { appIds, oldest }: { appIds: readonly number[]; oldest: Microseconds },
): Promise<void> {
  const { rows } = await client.query<{ dropped_until: Microseconds | null; open: OpenBatch[] }>({
    name: 'open-event-batches',
    text: `select assert_event_home('clickhouse'), (select (extract(epoch from max(week) + 7) * 1000000)::bigint from event_weeks) as dropped_until,
      (select coalesce(json_agg(open order by seq), '[]') from
        (select ${openBatchColumns} from event_batches where state = 'open' and app_ids && $1::integer[]) as open) as open`,
    values: [appIds],
  });
  const [row] = rows;
  for (const batch of row?.open ?? []) await settleBatch(options, client, batch);
  if (oldest < (row?.dropped_until ?? oldest))
    throw new DroppedWeek(`Events: a row lies in a dropped week (${formatMicroseconds(oldest)})`);
}

/**
 * Identities of stored events. All given events that are stored are among them, and sometimes another one, because UUIDs are compared by
 * their checksums: formatting the UUIDs as a parameter takes the client several times as long as the engine takes to find them. Days
 * are asked one by one, so that few rows far apart do not read what lies between.
 */
async function findStored({ engine }: Engine, events: readonly FormattedEvent[]): Promise<string[]> {
  const days = Map.groupBy(events, (event) => Math.floor(event.occurred_at / day));
  const foundIdentities: string[] = [];
  for (const some of days.values()) {
    const parameters = newParameters();
    const appIds = [...new Set(some.map((event) => event.app_id))];
    const [first, last] = [Math.min(...times(some)), Math.max(...times(some))].map((at) => instant(at, parameters));
    const checksums = checksumsOf(some.map(({ uuid }) => uuid));
    const text = `select app_id, toUnixTimestamp64Micro(occurred_at), uuid from events
      where occurred_at between ${first} and ${last} and app_id in ${parameters.add(appIds, 'Array(Int32)')}
        and CRC32(UUIDToNum(uuid)) in ${parameters.add(checksums, 'Array(UInt32)')} ${using(null)}`;
    foundIdentities.push(...(await engine.lines({ text, parameters })));
  }
  return foundIdentities;
}

/** The checksums that the engine calculates by `CRC32(UUIDToNum(uuid))`. */
function checksumsOf(uuids: readonly string[]): number[] {
  const size = 16;
  const bytes = Buffer.from(uuids.join('').replaceAll('-', ''), 'hex');
  return uuids.map((_, index) => crc32(bytes.subarray(index * size, (index + 1) * size)));
}

const firstColumns = [
  'uuid',
  'app_id',
  'occurred_at',
  'type',
  'flags',
  'country',
  'stream_uid',
  'bot',
  'ip',
  'client_uid',
] as const satisfies EventColumn[];
/** Fields with a column of their own in the engine, because it is filtered, counted or part of the identity. */
export const ownColumns = [...new Set([...firstColumns, ...filteredColumns])];

/** A batch of the ledger, and the id of its first event. */
type OpenedBatch = { seq: number; first_id: number };

/**
 * Commits the number and the apps of a batch before its events are stored: the process that later finds the batch open knows what to look
 * for, even if this process, its connection or the engine is lost.
 */
async function openBatch(client: pg.ClientBase, appIds: readonly number[], events: readonly FormattedEvent[]): Promise<OpenedBatch> {
  const from = Math.floor(Math.min(...times(events)) / hour) * hour;
  const until = (Math.floor(Math.max(...times(events)) / hour) + 1) * hour;
  const { rows } = await client.query<OpenedBatch>({
    name: 'open-event-batch',
    text: 'select seq, first_id from open_event_batch($1::integer[], $2::timestamptz, $3::timestamptz, $4::integer)',
    values: [appIds, `${formatMicroseconds(from)}+00`, `${formatMicroseconds(until)}+00`, events.length],
  });
  const [batch] = rows;
  if (!batch) throw new Error('Events: the batch was not opened');
  return batch;
}

/** Stores new events under a batch that was opened for at least as many. */
async function insertEvents(
  { engine }: Engine,
  client: pg.ClientBase,
  { seq, first_id: firstId }: OpenedBatch,
  events: readonly FormattedEvent[],
): Promise<void> {
  const values = events.toSorted(byTime).map(({ columns, listedEnd }, index) => {
    const id = firstId + index;
    return `[${id},${seq},${columns},"[${id},${listedEnd}]"]`;
  });
  await engine.insert({ table: 'events', columns: ['id', 'batch', ...ownColumns, 'row'], values, queryId: insertName(engine, seq) });
  const announcement = await client.query<{ is_stored: boolean }>({
    name: 'announce-event-batch',
    text: 'select announce_event_batch($1, $2) as is_stored',
    values: [seq, events.length],
  });
  if (announcement.rows[0]?.is_stored !== true) throw new Error(`Events: batch ${seq} was given up while it was stored`);
}

function formatEvent(row: NewEvent): FormattedEvent {
  const uuid = row.uuid.toLowerCase();
  const event = uuid === row.uuid ? row : { ...row, uuid };
  const { app_id, occurred_at } = event;
  const values = ownColumns.map((column) => ownValue(column, event));
  return {
    app_id,
    occurred_at,
    uuid,
    columns: JSON.stringify(values).slice(1, -1),
    listedEnd: JSON.stringify(toListedEnd(event)).slice(1, -1),
  };
}

/** The value of a column. The engine reads an instant as its microseconds when it is a number. */
function ownValue(column: (typeof ownColumns)[number], event: NewEvent): unknown {
  return column === 'flags' ? flagsOf(event) : event[column];
}

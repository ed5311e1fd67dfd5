import type { Microseconds } from '@switchyard/contract/dates';
import type { Pools } from '../../console-database.ts';
import type { DeliveryPlace, PlaceQuery } from '../../delivery-place.ts';
import type { DeliveryKind } from '../../delivery-store.ts';
import { EventStoreUnavailable } from '../../event-store-unavailable.ts';
import { addToPlaceDays, countedPlace, placeTables } from '../deliveries/place-days.ts';
import { timestamp } from '../event-conditions.ts';
import { inTransaction } from '../statements.ts';

const minute: Microseconds = 60_000_000;
/**
 * Deliveries are checked when they arrive and again after these waits, each from the check before: 1 minute, 10 minutes, 1 hour, 6 hours,
 * 1 day and 2 days after the arrival if no check is late. Events that arrive later change no place.
 */
const waits: readonly Microseconds[] = [1, 9, 50, 300, 1080, 1440].map((minutes) => minutes * minute);
/** Checks whose deliveries cannot be looked up, e.g. because it takes too long, must not keep the others waiting. */
const failedWait = 10 * minute;
/** Deliveries of a step. */
const usualRows = 2000;
/** A step that cannot be looked up is tried with so many times fewer. */
const fewerRows = 16;
const mostChecks = 10_000;

/** SQL that has stored rows with a client checked. `stored` names app, id and client. */
export function checkStatement(kind: DeliveryKind, stored: string): string {
  return `insert into place_checks (kind, app_id, first_id, last_id, round, due_at)
  select '${kind}', app_id, min(id), max(id), 0, now() from ${stored} where client_uid <> '' group by app_id`;
}

type Tables = (typeof placeTables)[DeliveryKind];

/** Deliveries of an app, by their ids, that are to be checked. */
type Check = { app_id: number; first_id: number; last_id: number };

/**
 * Checks of one kind and round that are due: those of the oldest one, so that no round waits for ever. The index is ordered by round, so the
 * oldest one of each is read, not all that are due.
 */
const dueStatement = `
with first as (
  select oldest.kind, oldest.round from generate_series(0, ${waits.length}) as rounds (round) cross join lateral (
    select kind, round, due_at from place_checks as due
    where due.round = rounds.round and due_at <= $1::timestamptz order by due_at limit 1
  ) as oldest order by due_at, round limit 1
)
select id, kind, round, app_id, first_id, last_id from place_checks join first using (kind, round)
where due_at <= $1::timestamptz order by due_at, id limit ${mostChecks}`;

/** The newest deliveries of each range with their places, at most $4 of each. */
const rowsStatement = ({ deliveries, time, places }: Tables): string => `
select kept.app_id, kept.id, kept.client_uid as "clientUid", (extract(epoch from kept.${time}) * 1000000)::bigint as at,
  place.id is not null as "hasPlace", place.country, place.asn, place.server_id as "serverId", place.bot
from unnest($1::integer[], $2::bigint[], $3::bigint[]) as checked (app_id, first_id, last_id)
cross join lateral (
  select app_id, id, client_uid, ${time} from ${deliveries}
  where app_id = checked.app_id and id between checked.first_id and checked.last_id order by id desc limit $4
) as kept
left join ${places} as place on place.id = kept.id`;

/**
 * Locks deliveries whose places change, in the order in which batches do, so that their status and places stay as the next statement reads
 * them. A push that has moved meanwhile has a check of its own.
 */
const lockStatement = ({ deliveries, time }: Tables): string => `
select kept.id from json_to_recordset($1) as given (app_id integer, id bigint, at timestamptz)
join ${deliveries} as kept on kept.app_id = given.app_id and kept.id = given.id and kept.${time} = given.at
order by kept.app_id, kept.uuid for no key update of kept`;

/** Stores the places of locked deliveries, or deletes those without a country, and moves their counts. $3: the server's offset. */
const storeStatement = (kind: DeliveryKind): string => {
  const { deliveries, places } = placeTables[kind];
  return `
with given as (
  select given.* from json_to_recordset($1) as given (app_id integer, id bigint, country text, asn text, server_id integer, bot text)
  where given.id = any($2::bigint[])
),
deleted as (delete from ${places} as place using given where place.id = given.id and given.country is null),
stored as (
  insert into ${places} (id, country, asn, server_id, bot)
  select id, country, asn, server_id, bot from given where country is not null order by id
  on conflict (id) do update set country = excluded.country, asn = excluded.asn, server_id = excluded.server_id, bot = excluded.bot
)
${addToPlaceDays(
  kind,
  `select ${countedPlace(kind, { n: '-1', offset: '$3' })} from given join ${places} as place on place.id = given.id
   join ${deliveries} as kept on kept.app_id = given.app_id and kept.id = given.id
   union all select ${countedPlace(kind, { n: '1', offset: '$3' })} from given as place
   join ${deliveries} as kept on kept.app_id = place.app_id and kept.id = place.id where place.country is not null`,
)}`;
};

const postponeStatement = 'update place_checks set due_at = $2::timestamptz where id = any($1::bigint[])';

const addStatement = `
insert into place_checks (kind, app_id, first_id, last_id, round, due_at)
select $1, app_id, first_id, last_id, round, due_at
from json_to_recordset($2) as added (app_id integer, first_id bigint, last_id bigint, round smallint, due_at timestamptz)`;

/** Finds the places of deliveries, wherever events live; null: no event is found. */
export type FindPlaces = (deliveries: PlaceQuery['deliveries']) => Promise<(DeliveryPlace | null)[]>;

type FoundRow = DeliveryPlace & { app_id: number; id: number; clientUid: string | null; at: Microseconds; hasPlace: boolean };

/**
 * Decides the places of some deliveries whose check is due, and schedules the next one; false: none is due. What a step changes is one
 * transaction, so one that is killed is done again. Checks of several batches of an app become one.
 */
export async function updatePlaces(
  { jobs }: Pick<Pools, 'jobs'>,
  findPlaces: FindPlaces,
  { now, offset, rows: most = usualRows }: { now: Microseconds; offset: string; rows?: number | undefined },
): Promise<boolean> {
  const { rows: due } = await jobs.query<Check & { id: number; kind: DeliveryKind; round: number }>(dueStatement, [timestamp(now)]);
  const [first] = due;
  if (first === undefined) return false;
  const { kind, round } = first;
  const tables = placeTables[kind];
  const chosen = chooseChecks(due, most);
  const checks = joinChecks(chosen, most);
  const { rows: found } = await jobs.query<FoundRow>(rowsStatement(tables), [
    checks.map((check) => check.app_id),
    checks.map((check) => check.first_id),
    checks.map((check) => check.last_id),
    most,
  ]);
  const ids = chosen.map(({ id }) => id);
  let changed: string;
  try {
    changed = JSON.stringify(await compareWithEvents(findPlaces, found, { removes: round === 0 }));
  } catch (error) {
    if (error instanceof EventStoreUnavailable) throw error;
    // One check must not keep the others of its step waiting.
    if (chosen.length > 1) return updatePlaces({ jobs }, findPlaces, { now, offset, rows: Math.ceil(most / fewerRows) });
    await jobs.query(postponeStatement, [ids, timestamp(now + failedWait)]);
    throw error;
  }
  const next = nextChecks(checks, { found, most, round, now });
  await inTransaction(jobs, async (client) => {
    const locked = await client.query('select from place_checks where id = any($1::bigint[]) for update skip locked', [ids]);
    // Another process does them.
    if (locked.rowCount !== ids.length) return;
    await client.query('delete from place_checks where id = any($1::bigint[])', [ids]);
    const { rows: lockedRows } = await client.query<{ id: number }>(lockStatement(tables), [changed]);
    if (lockedRows.length > 0) await client.query(storeStatement(kind), [changed, lockedRows.map(({ id }) => id), offset]);
    if (next.length > 0) await client.query(addStatement, [kind, JSON.stringify(next)]);
  });
  return true;
}

/** The oldest checks that have about so many ids together; at least one. */
function chooseChecks<Own extends Check>(due: readonly Own[], most: number): Own[] {
  let size = 0;
  const end = due.findIndex(({ first_id: firstId, last_id: lastId }, at) => {
    size += lastId - firstId + 1;
    return at > 0 && size > most;
  });
  return end === -1 ? [...due] : due.slice(0, end);
}

/**
 * Neighbouring checks of an app as one, as far as it is no larger than a step. What lies between their ids is checked as well. A larger one
 * would begin at its newest delivery again with each that arrives.
 */
function joinChecks(checks: readonly Check[], most: number): Check[] {
  const joined: Check[] = [];
  for (const { app_id, first_id, last_id } of checks.toSorted((a, b) => a.app_id - b.app_id || a.first_id - b.first_id)) {
    const last = joined.at(-1);
    const end = Math.max(last?.last_id ?? 0, last_id);
    if (last?.app_id === app_id && (first_id <= last.last_id + 1 || end - last.first_id < most)) last.last_id = end;
    else joined.push({ app_id, first_id, last_id });
  }
  return joined;
}

/** The next check of what was read, and the rest of a range of which only the newest deliveries were read. */
function nextChecks(
  checks: readonly Check[],
  { found, most, round, now }: { found: readonly FoundRow[]; most: number; round: number; now: Microseconds },
): (Check & { round: number; due_at: string })[] {
  const idsByApp = Map.groupBy(found, (row) => row.app_id);
  const wait = waits[round];
  return checks.flatMap((check) => {
    const ids = (idsByApp.get(check.app_id) ?? []).map(({ id }) => id).filter((id) => id >= check.first_id && id <= check.last_id);
    const oldest = ids.length < most ? null : Math.min(...ids);
    const read = { ...check, first_id: oldest ?? check.first_id };
    return [
      ...(wait === undefined || ids.length === 0 ? [] : [{ ...read, round: round + 1, due_at: timestamp(now + wait) }]),
      ...(oldest === null ? [] : [{ ...check, last_id: oldest - 1, round, due_at: timestamp(now) }]),
    ];
  });
}

/**
 * Deliveries whose stored place is another one than events say, with that place; its parts are null where there is no event. Later checks
 * remove none: their events may be past retention.
 */
async function compareWithEvents(
  findPlaces: FindPlaces,
  rows: readonly FoundRow[],
  { removes }: { removes: boolean },
): Promise<Record<string, unknown>[]> {
  const asked = rows.flatMap(({ clientUid, ...row }) => (clientUid === null || clientUid === '' ? [] : [{ ...row, clientUid }]));
  const places = asked.length === 0 ? [] : await findPlaces(asked.map(({ app_id: appId, clientUid, at }) => ({ appId, clientUid, at })));
  return asked.flatMap(({ app_id, id, at, hasPlace, ...stored }, index) => {
    const { country = null, asn = null, serverId = null, bot = null } = places[index] ?? {};
    const isSame =
      country === null
        ? !(hasPlace && removes)
        : hasPlace && country === stored.country && asn === stored.asn && serverId === stored.serverId && bot === stored.bot;
    return isSame ? [] : [{ app_id, id, at: timestamp(at), country, asn, server_id: serverId, bot }];
  });
}

import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** What one server did since the last time: when it was seen, null for not at all, and events by the start of their minute in milliseconds. */
export type Counted = { seenAt: Date | null; minutes: Map<number, number> };

/** Adds what was counted to what stands there; several processes may do so at once. Nothing of it changes a server's version. */
export async function addActivity(db: Kysely<Tables>, counted: ReadonlyMap<number, Counted>): Promise<void> {
  // One order of rows for all, so that two processes never wait for each other in a circle.
  const servers = [...counted].toSorted(([a], [b]) => a - b);
  const seen = servers.flatMap(([id, { seenAt }]) => (seenAt === null ? [] : [{ id, seenAt }]));
  const minutes = servers.flatMap(([id, found]) => [...found.minutes].map(([at, events]) => ({ id, at: new Date(at), events })));
  await db.transaction().execute(async (tx) => {
    await sql`
      update traffic_servers set last_seen_at = greatest(last_seen_at, seen.at)
      from (select * from unnest(${seen.map(({ id }) => id)}::int[], ${seen.map(({ seenAt }) => seenAt)}::timestamptz[]) as _(id, at)) as seen
      where traffic_servers.id = seen.id
    `.execute(tx);
    await sql`
      insert into traffic_server_minutes as stored (server_id, minute, events)
      select * from unnest(
        ${minutes.map(({ id }) => id)}::int[], ${minutes.map(({ at }) => at)}::timestamptz[], ${minutes.map(({ events }) => events)}::int[])
      on conflict (server_id, minute) do update set events = stored.events + excluded.events
    `.execute(tx);
  });
}

/** Forgets minutes before the moment. */
export async function removeOldMinutes(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('traffic_server_minutes').where('minute', '<', before).execute();
}

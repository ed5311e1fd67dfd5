import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** A traffic server as requests and reports name it. */
export type ServerLabel = { id: number; name: string };

/** The labels of these traffic servers, by id; deleted ones too. */
export async function findServerLabels(db: Kysely<Tables>, ids: readonly number[]): Promise<ReadonlyMap<number, ServerLabel>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ServerLabel>`
    select id, name from traffic_servers where id = any(${[...new Set(ids)]}::integer[])
  `.execute(db);
  return new Map(rows.map((server) => [server.id, server]));
}

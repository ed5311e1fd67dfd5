import type { PickedServer } from '@switchyard/contract/pick-lists';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** Servers that were not deleted, by name whatever its case (api [69]). */
export async function listServersToPick(db: Kysely<Tables>): Promise<PickedServer[]> {
  return db
    .selectFrom('traffic_servers')
    .select(['id', 'name', sql<string | null>`host(ip)`.as('ip')])
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(name) collate "C"`)
    .orderBy('id')
    .execute();
}

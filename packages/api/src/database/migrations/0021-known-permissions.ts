import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Remembers which permissions a database has met, so that a start grants a new one to the default roles once and leaves
 * alone what administrators took from them afterwards.
 */
export const knownPermissions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table known_permissions (id smallint primary key)`.execute(db);
    await sql`insert into known_permissions (id) select generate_series(1, 29)`.execute(db);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The time whose rows an incident counted. Open incidents get theirs with the next evaluation. */
export const windowsOfIncidents: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table incidents add column window_from timestamptz, add column window_until timestamptz').execute(db);
  },
};

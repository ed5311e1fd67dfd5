import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Calls of the rate limits that count in memory, as far as the processes have told each other. Unlogged: a crash may lose them. */
export const callCounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create unlogged table call_counts (
        key text primary key,
        calls integer not null,
        window_ends_at timestamptz not null
      )
    `.execute(db);
  },
};

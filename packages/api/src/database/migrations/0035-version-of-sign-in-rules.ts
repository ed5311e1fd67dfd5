import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A version of the sign-in rules, so that nobody saves over the change of another person. */
export const versionOfSignInRules: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table sign_in_rules add column version integer not null default 1`.execute(db);
  },
};

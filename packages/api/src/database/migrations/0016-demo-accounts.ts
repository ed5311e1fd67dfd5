import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Marks the accounts that the demo made: their password is public, so they sign in only while the demo is on. */
export const demoAccountMarks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(marks).execute(db);
  },
};

/** The addresses are those of every demo so far. Deleted accounts are marked too: a demo cannot be told from them otherwise. */
const marks = `
alter table accounts add column is_demo boolean not null default false;
update accounts set is_demo = true where lower(email) in (
  'super.demo@switchyard.local',
  'admin.demo@switchyard.local',
  'manager.demo@switchyard.local',
  'reviewer.demo@switchyard.local',
  'restricted.demo@switchyard.local',
  'buyer.demo@switchyard.local',
  'qa.demo@switchyard.local',
  'superbuyer.demo@switchyard.local',
  'leon.fischer.demo@switchyard.local',
  'nadia.haddad.demo@switchyard.local',
  'priya.nair.demo@switchyard.local',
  'diego.ramos.demo@switchyard.local',
  'chloe.martin.demo@switchyard.local'
);
`;

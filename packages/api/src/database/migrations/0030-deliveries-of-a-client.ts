import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes that find the pushes and conversions of a client in all apps, newest first. */
export const deliveriesOfAClient: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index pushes_client on pushes (client_uid collate "C", send_at desc, id desc) include (app_id)
      where client_uid is not null`.execute(db);
    await sql`create index conversions_client on conversions (client_uid collate "C", created_at desc, id desc) include (app_id)
      where client_uid is not null`.execute(db);
  },
};

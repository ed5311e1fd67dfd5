import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** From where accounts signed in of late, so that wrong passwords from elsewhere do not lock them out there. */
export const knownAddresses: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table known_addresses (
        account_id integer not null references accounts on delete cascade,
        address_key text not null,
        last_signed_in_at timestamptz not null,
        primary key (account_id, address_key)
      )
    `.execute(db);
    await sql`create index known_addresses_age on known_addresses (last_signed_in_at)`.execute(db);
  },
};

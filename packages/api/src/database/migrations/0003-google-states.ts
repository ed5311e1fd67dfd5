import { type Kysely, sql } from 'kysely';

/** Sign-ins with Google that were begun and not finished; what is stored alone opens nothing, for the state is a hash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
      create table google_states (
        state_hash bytea primary key,
        nonce text not null,
        verifier text not null,
        expires_at timestamptz not null
      )
    `.execute(db);
  await sql`create index google_states_expiry on google_states (expires_at)`.execute(db);
}

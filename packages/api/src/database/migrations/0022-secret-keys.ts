import { type Kysely, sql } from 'kysely';

/** The secret keys of a database, by their fingerprints (docs/decisions/0032-replacing-the-secret-key.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(keys).execute(db);
}

const keys = `
create table secret_keys (
  id integer generated always as identity primary key,
  -- Its first eight digits are the key id of encrypted secrets.
  fingerprint text not null unique,
  -- current: encrypts secrets and seals the audit trail. previous: some secrets may still be encrypted with it. replaced: none is.
  state text not null check (state in ('current', 'previous', 'replaced')),
  created_at timestamptz not null default now(),
  replaced_at timestamptz,
  -- What was derived from a key that is not the current one, encrypted with the current one: old seals stay verifiable by it.
  derived_sealed text
);
create unique index secret_keys_state_key on secret_keys (state) where state <> 'replaced';
`;

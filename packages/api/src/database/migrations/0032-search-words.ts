import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes of the names that the search of the console looks through. */
export const searchWords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(words).execute(db);
  },
};

/** The fourth migration adds the extension where it can be had; without it a search reads every name and knows no typos. */
const words = `
create index apps_name_order on apps (lower(name) collate "C", id);
create index accounts_name_order on accounts (lower(name) collate "C", id) where deleted_at is null;
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index accounts_words on accounts using gin (lower(name || ' ' || email) gin_trgm_ops) where deleted_at is null;
    create index apps_words on apps using gin (lower(name || ' ' || bundle || ' ' || domain) gin_trgm_ops);
    create index streams_words on streams using gin (lower(name || ' ' || uid) gin_trgm_ops) where deleted_at is null;
  end if;
end $$;
`;

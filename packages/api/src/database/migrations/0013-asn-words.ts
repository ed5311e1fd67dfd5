import { type Kysely, sql } from 'kysely';

/** Finds autonomous systems by a part of their domain or name without reading all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(index).execute(db);
}

/** The extension is there since the fourth migration where it can be had; without it every system is read, which takes ten times as long. */
const index = `
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index asns_words on asns using gin (words gin_trgm_ops);
  end if;
end $$;
`;

import { type Kysely, sql } from 'kysely';

/** Finds a part of an entry of the black list, its reason or its source, where the extension of migration 0004 is. Without it a search reads every entry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(indexes).execute(db);
}

const indexes = `
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index black_ips_words on black_ips using gin ((ip || E'\\n' || lower(reason) || E'\\n' || lower(source)) gin_trgm_ops);
    create index black_networks_words on black_networks using gin ((network || E'\\n' || lower(reason) || E'\\n' || lower(source)) gin_trgm_ops);
  end if;
end $$;
`;

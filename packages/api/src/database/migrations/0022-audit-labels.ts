import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds entries of the trail by a part of the name of what was changed without reading all of them. */
export const auditLabels: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(index).execute(db);
  },
};

/** The fourth migration adds the extension where it can be had; without it a search reads the trail from its newest entry on. */
const index = `
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index audit_entries_label on audit_entries using gin (lower(entity_label) gin_trgm_ops);
  end if;
end $$;
`;

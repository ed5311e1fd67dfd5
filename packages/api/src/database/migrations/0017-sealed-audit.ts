import { type Kysely, sql } from 'kysely';

/** Seals over the entries of the audit trail (docs/decisions/0026-sealed-audit.md), and indexes that its filters use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(seals).execute(db);
  await sql.raw(indexes).execute(db);
}

const seals = `
create table audit_seals (
  -- From 1 without a gap.
  id bigint primary key,
  sealed_at timestamptz not null,
  -- Covers every entry after those of the seal before, up to this id.
  to_id bigint not null,
  key_id text not null,
  ids bigint[] not null,
  -- 16 bytes of each entry, in the order of ids.
  digests bytea not null,
  mac bytea not null,
  -- Set on a seal after missing ones that an administrator acknowledged: the number of the seal before these, 0 for none.
  resumes_after bigint
);
`;

/** The fourth migration adds the extension where it can be had; without it a search reads the trail from its newest entry on. */
const indexes = `
create index audit_entries_via_server on audit_entries (id desc) where changes -> 0 ->> 'field' = 'via' and actor_id is null;
create index audit_entries_via_token on audit_entries (id desc) where changes -> 0 ->> 'field' = 'via' and actor_id is not null;
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index audit_entries_label on audit_entries using gin (lower(entity_label) gin_trgm_ops);
  end if;
end $$;
`;

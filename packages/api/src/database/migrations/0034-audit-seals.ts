import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Seals over the entries of the audit trail (docs/decisions/0026-sealed-audit.md). Stored entries are sealed by the maintenance. */
export const auditSeals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(seals).execute(db);
  },
};

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
  mac bytea not null
);
`;

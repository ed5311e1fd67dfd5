import { type Kysely, sql } from 'kysely';

/** Indexes that give the trail in its order: of a kind of rows, of a kind of rows of an app, and of everything that is about no app. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(indexes).execute(db);
}

const indexes = `
create index audit_entries_kind on audit_entries (entity, action, id desc);
create index audit_entries_apart on audit_entries (id desc) where entity not in ('app', 'app_server', 'firebase');
drop index audit_entries_app;
create index audit_entries_app on audit_entries (app_id, entity, action, id desc) where app_id is not null;
`;

import { wireDate } from '@switchyard/contract/dates';
import type { MarkEntry } from '@switchyard/contract/marks';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import { groupMarks, type MarkGroup, type MarkSpan } from '../../database/group-marks.ts';
import { isInScope } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { existing, type OpenTransaction } from '../../database/transaction.ts';

/** Who reads notes: their apps, and whether they may see servers. */
export type NoteReader = { scope: AppScope; seesServers: boolean };

/** The notes that a chart is about: those for all, and those of these apps and servers, or all that the reader may see. */
export type MarkedNotes = 'all' | { apps: readonly number[]; servers: readonly number[] };

export type Note = { id: number; text: string; at: Date; app_id: number | null; server_id: number | null; author_id: number };

function visible({ scope, seesServers }: NoteReader): RawBuilder<SqlBool> {
  return sql<SqlBool>`((note.app_id is null or ${isInScope('note.app_id', scope)}) and (note.server_id is null or ${seesServers}))`;
}

/** Groups the notes in a span by bucket. */
export async function listNoteMarks(
  db: Kysely<Tables>,
  span: MarkSpan,
  { reader, which }: { reader: NoteReader; which: MarkedNotes },
): Promise<MarkGroup[]> {
  const isMarked =
    which === 'all'
      ? sql`true`
      : sql`(note.app_id = any(${which.apps}::int[]) or note.server_id = any(${which.servers}::int[])
          or (note.app_id is null and note.server_id is null))`;
  return groupMarks(
    db,
    span,
    sql`select 'note' as kind, note.id, note.at from notes as note
      where note.at >= ${new Date(span.from / 1000)} and note.at < ${new Date(span.until / 1000)} and ${visible(reader)} and ${isMarked}`,
  );
}

type FoundNote = Note & { author_name: string; app_name: string | null; server_name: string | null };

/** Notes as marks list them, by id. */
export async function listMarkedNotes(
  db: Kysely<Tables>,
  ids: readonly number[],
  isDeletable: (note: Note) => boolean,
): Promise<ReadonlyMap<number, MarkEntry>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<FoundNote>`
    select note.*, author.name as author_name, app.name as app_name, server.name as server_name
    from notes as note join accounts as author on author.id = note.author_id left join apps as app on app.id = note.app_id
    left join traffic_servers as server on server.id = note.server_id where note.id = any(${ids}::int[])
  `.execute(db);
  const toEntry = (row: FoundNote): MarkEntry => ({
    kind: 'note',
    id: row.id,
    at: wireDate(row.at),
    what: 'note',
    name: row.text,
    by: { id: row.author_id, name: row.author_name },
    app: row.app_id === null ? null : { id: row.app_id, name: row.app_name ?? '' },
    server: row.server_id === null ? null : { id: row.server_id, name: row.server_name ?? '' },
    run: null,
    fields: [],
    is_deletable: isDeletable(row),
  });
  return new Map(rows.map((row) => [row.id, toEntry(row)]));
}

/** A note that a reader may see, locked until the transaction ends. */
export async function lockNote(tx: OpenTransaction, reader: NoteReader, id: number): Promise<Note | undefined> {
  const { rows } = await sql<Note>`select note.* from notes as note where note.id = ${id} and ${visible(reader)} for update`.execute(tx);
  return rows[0];
}

/** Inserts a note and gives its id. */
export async function insertNote(tx: OpenTransaction, note: Omit<Note, 'id'>, now: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into notes (text, at, app_id, server_id, author_id, created_at)
    values (${note.text}, ${note.at}, ${note.app_id}, ${note.server_id}, ${note.author_id}, ${now}) returning id
  `.execute(tx);
  return existing(rows[0]).id;
}

/** The number of notes of an account. */
export async function countNotes(tx: OpenTransaction, authorId: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from notes where author_id = ${authorId}`.execute(tx);
  return existing(rows[0]).total;
}

/** Whether an app or a server with this id exists. */
export async function isSubject(tx: OpenTransaction, subject: 'app' | 'server', id: number): Promise<boolean> {
  const table = subject === 'app' ? sql`apps where` : sql`traffic_servers where deleted_at is null and`;
  const { rows } = await sql`select from ${table} id = ${id}::bigint`.execute(tx);
  return rows.length > 0;
}

/** Servers that these apps are linked to. */
export async function listServersOf(db: Kysely<Tables>, apps: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct server_id as id from check_domains where app_id = any(${apps}::int[])`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

import type { Panel } from '@switchyard/contract/permissions';
import { foundPerKind } from '@switchyard/contract/search';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { AppScope } from '../../app-scope.ts';
import { containsText, isInScope } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { readSnapshot } from '../../database/transaction.ts';
import { hasWithOneTypo } from './one-typo.ts';

/** `exact` finds the text as a part of the words, `typo` words with one typo. */
export type SearchMode = 'exact' | 'typo';
export type Search = { text: string; mode: SearchMode };

/** What is searched: a table with the name of a row and all words by which it is found, both in lower case. */
type Source = {
  select: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  /** Which rows the caller may see. */
  where: RawBuilder<SqlBool>;
  id: RawBuilder<unknown>;
  name: RawBuilder<string>;
  words: RawBuilder<string>;
};

/** How many of the rows that contain a frequent text, or are like it, are looked at; so that a search costs the same for any text. */
const mostCandidates = { exact: 60, typo: 2_000 } as const;
/** How many of the most alike are compared with the text one by one. */
const mostCompared = 300;

export type FoundApp = { id: number; name: string; domain: string; bundle: string; is_archived: boolean };
export type FoundAccount = { id: number; name: string; email: string };
export type FoundStream = { uid: string; name: string; app_id: number; app_name: string };

/** Apps in scope, archived ones last, by name, bundle, domain or id. */
export async function findApps(db: Kysely<Tables>, search: Search, scope: AppScope): Promise<FoundApp[]> {
  const select = sql`id, name, domain, bundle, deleted_at is not null as is_archived`;
  const byId = /^[1-9]\d{0,8}$/.test(search.text) && search.mode === 'exact';
  const named = byId
    ? await sql<FoundApp>`select ${select} from apps where id = ${Number(search.text)} and ${isInScope('id', scope)}`.execute(db)
    : { rows: [] };
  const found = await findRows<FoundApp>(db, search, {
    select,
    from: sql`apps`,
    where: isInScope('id', scope),
    id: sql`id`,
    name: sql<string>`lower(name) collate "C"`,
    words: sql<string>`lower(name || ' ' || bundle || ' ' || domain)`,
  });
  const others = found.filter(({ id }) => named.rows.every((row) => row.id !== id));
  return [...named.rows, ...others].slice(0, foundPerKind);
}

/** Accounts of a panel by name or e-mail address. */
export async function findAccounts(db: Kysely<Tables>, search: Search, panel: Panel): Promise<FoundAccount[]> {
  return findRows<FoundAccount>(db, search, {
    select: sql`id, name, email`,
    from: sql`accounts`,
    where: sql<SqlBool>`deleted_at is null and panel = ${panel}`,
    id: sql`id`,
    name: sql<string>`lower(name) collate "C"`,
    words: sql<string>`lower(name || ' ' || email)`,
  });
}

/** Traffic servers by name or URL. */
export async function findServers(db: Kysely<Tables>, search: Search): Promise<{ id: number; name: string; url: string }[]> {
  return findRows(db, search, {
    select: sql`id, name, url`,
    from: sql`traffic_servers`,
    where: sql<SqlBool>`deleted_at is null`,
    id: sql`id`,
    name: sql<string>`lower(name)`,
    words: sql<string>`lower(name || ' ' || url)`,
  });
}

/** Roles of both panels by name. */
export async function findRoles(db: Kysely<Tables>, search: Search): Promise<{ id: number; name: string; panel: Panel }[]> {
  return findRows(db, search, {
    select: sql`id, name, panel`,
    from: sql`roles`,
    where: sql<SqlBool>`true`,
    id: sql`id`,
    name: sql<string>`lower(name)`,
    words: sql<string>`lower(name)`,
  });
}

/** Streams of apps in scope by name or uid. */
export async function findStreams(db: Kysely<Tables>, search: Search, scope: AppScope): Promise<FoundStream[]> {
  return findRows<FoundStream>(db, search, {
    select: sql`streams.uid, streams.name, streams.app_id, (select apps.name from apps where apps.id = streams.app_id) as app_name`,
    from: sql`streams`,
    where: sql<SqlBool>`streams.deleted_at is null and ${isInScope('streams.app_id', scope)}`,
    id: sql`streams.uid`,
    name: sql<string>`lower(streams.name)`,
    words: sql<string>`lower(streams.name || ' ' || streams.uid)`,
  });
}

/** Finds by words with one typo; nothing where the database has no trigrams. */
export async function findWithTypos<Item>(
  db: Kysely<Tables>,
  text: string,
  find: (tx: Kysely<Tables>, search: Search) => Promise<Item[]>,
): Promise<Item[]> {
  const { rows } = await sql`select from pg_extension where extname = 'pg_trgm'`.execute(db);
  if (rows.length === 0) return [];
  return readSnapshot(db, async (tx) => {
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${likenessOf(text.length)}, true)`.execute(tx);
    return find(tx, { text, mode: 'typo' });
  });
}

/**
 * The likeness that a text of this length keeps with one typo in it, which changes four trigrams at most; four characters keep it
 * with most typos.
 */
function likenessOf(length: number): string {
  return Math.max(0.3, (length - 3) / (length + 1) - 0.02).toFixed(2);
}

/** Those whose name begins with the text by name, then those that contain it; with typos the most alike first. */
async function findRows<Row>(db: Kysely<Tables>, { text, mode }: Search, source: Source): Promise<Row[]> {
  const { select, from, where, id, name, words } = source;
  const typed = text.toLowerCase();
  if (mode === 'typo') {
    const { rows } = await sql<{ row: Row; words: string }>`
      select row, words from (
        select (select to_json(picked) from (select ${select}) as picked) as row, ${words} as words, ${id} as id from ${from}
        where ${where} and ${typed} <% ${words} limit ${mostCandidates.typo}
      ) as candidate order by word_similarity(${typed}, words) desc, id limit ${mostCompared}
    `.execute(db);
    return rows.flatMap(({ row, words: found }) => (hasWithOneTypo(found, typed) ? [row] : [])).slice(0, foundPerKind);
  }
  const begins = sql<SqlBool>`${name} like ${`${typed.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`;
  const { rows: starting } = await sql<Row>`
    select ${select} from ${from} where ${where} and ${begins} order by ${name}, ${id} limit ${foundPerKind}
  `.execute(db);
  // Fewer characters occur nearly everywhere, and no index knows them.
  if (starting.length === foundPerKind || text.length < 3) return starting;
  const { rows: containing } = await sql<{ row: Row }>`
    select row from (
      select (select to_json(picked) from (select ${select}) as picked) as row, ${id} as id from ${from}
      where ${where} and ${containsText(words, text)} and not ${begins} limit ${mostCandidates.exact}
    ) as candidate order by id limit ${foundPerKind - starting.length}
  `.execute(db);
  return [...starting, ...containing.map(({ row }) => row)];
}

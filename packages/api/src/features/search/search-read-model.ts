import type { Panel } from '@switchyard/contract/permissions';
import { foundPerKind } from '@switchyard/contract/search';
import { comparableText } from '@switchyard/contract/text-fields';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import { isInScope } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { patternsOf, patternsWithTypo } from './search-patterns.ts';

/** The text to search for. With typos, only rows with a typo are found. */
export type Search = { text: string; withTypo: boolean };

/** The searched table, with the columns `name` and `words`. */
type Source = {
  table: string;
  key: 'id' | 'uid';
  select: RawBuilder<unknown>;
  /** Which rows the caller may see. */
  where: RawBuilder<SqlBool>;
};

/** How many of the rows that contain a frequent text are read, so that a search costs the same for any text. */
const mostCandidates = 60;

export type FoundApp = { id: number; name: string; domain: string; bundle: string; is_archived: boolean };
export type FoundAccount = { id: number; name: string; email: string; panel: Panel };
export type FoundStream = { uid: string; name: string; app_id: number; app_name: string };

/** Apps in scope, archived ones last, by name, bundle, domain or id. */
export async function findApps(db: Kysely<Tables>, search: Search, scope: AppScope): Promise<FoundApp[]> {
  const select = sql`id, name, domain, bundle, deleted_at is not null as is_archived`;
  const byId = /^[1-9]\d{0,8}$/.test(search.text) && !search.withTypo;
  const namedApps = byId
    ? await sql<FoundApp>`select ${select} from apps where id = ${Number(search.text)} and ${isInScope('id', scope)}`.execute(db)
    : { rows: [] };
  const apps = await findRows<FoundApp>(db, search, {
    table: 'apps',
    key: 'id',
    select,
    where: isInScope('id', scope),
  });
  const others = apps.filter(({ id }) => namedApps.rows.every((row) => row.id !== id));
  return [...namedApps.rows, ...others].slice(0, foundPerKind);
}

/** Accounts of both panels by name or e-mail address, as many of each; with typos as many together, which takes half the time. */
export async function findAccounts(db: Kysely<Tables>, search: Search): Promise<FoundAccount[]> {
  const find = async (where: RawBuilder<SqlBool>): Promise<FoundAccount[]> =>
    findRows(db, search, {
      table: 'accounts',
      key: 'id',
      select: sql`id, name, email, panel`,
      where: sql`deleted_at is null and ${where}`,
    });
  if (search.withTypo) return find(sql`true`);
  return [...(await find(sql`panel = 'user'`)), ...(await find(sql`panel = 'buyer'`))];
}

/** Traffic servers by name or URL. */
export async function findServers(db: Kysely<Tables>, search: Search): Promise<{ id: number; name: string; url: string }[]> {
  return findRows(db, search, {
    table: 'traffic_servers',
    key: 'id',
    select: sql`id, name, url`,
    where: sql<SqlBool>`deleted_at is null`,
  });
}

/** Roles of both panels by name. */
export async function findRoles(db: Kysely<Tables>, search: Search): Promise<{ id: number; name: string; panel: Panel }[]> {
  return findRows(db, search, {
    table: 'roles',
    key: 'id',
    select: sql`id, name, panel`,
    where: sql<SqlBool>`true`,
  });
}

/** Streams of apps in scope by name or uid. */
export async function findStreams(db: Kysely<Tables>, search: Search, scope: AppScope): Promise<FoundStream[]> {
  return findRows<FoundStream>(db, search, {
    table: 'streams',
    key: 'uid',
    select: sql`uid, name, app_id, (select apps.name from apps where apps.id = streams.app_id) as app_name`,
    where: sql<SqlBool>`deleted_at is null and ${isInScope('app_id', scope)}`,
  });
}

/** Those whose name begins with the text by name, then those that contain it; or those that contain it with a typo. */
async function findRows<Row>(db: Kysely<Tables>, { text, withTypo }: Search, source: Source): Promise<Row[]> {
  const { select, where } = source;
  const [from, key] = [sql.table(source.table), sql.ref(source.key)];
  const begins = sql<SqlBool>`lower(name) collate "C" like ${`${comparableText(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`;
  const { rows: starting } = withTypo
    ? { rows: [] }
    : await sql<Row>`
        select ${select} from ${from} where ${where} and ${begins} order by lower(name) collate "C", ${key} limit ${foundPerKind}
      `.execute(db);
  const patterns = withTypo ? patternsWithTypo(text) : patternsOf(text);
  const [first] = patterns;
  if (starting.length === foundPerKind || first === undefined) return starting;
  // The planner knows how frequent one text is. Many patterns seem frequent to it; unnested they make it use the index for each, if there is one.
  const matching = withTypo
    ? sql`(select unnest(${patterns}::text[]) where exists (select from pg_extension where extname = 'pg_trgm'))`
    : sql`(select ${first}::text)`;
  const { rows: containing } = await sql<{ row: Row }>`
    select distinct on (key) row from (
      select (select to_json(picked) from (select ${select}) as picked) as row, ${key} as key
      from ${matching} as typed (pattern) join ${from} on words like pattern
      where ${where} and not ${begins} limit ${mostCandidates}
    ) as candidate order by key limit ${foundPerKind - starting.length}
  `.execute(db);
  return [...starting, ...containing.map(({ row }) => row)];
}

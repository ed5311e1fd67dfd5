import { type Kysely, sql } from 'kysely';
import { domainToUnicode } from 'node:url';
import { foldedWords } from './0020-search-and-checks.ts';

/**
 * The texts by which names that look the same are compared and searched, and domains in the form of DNS. The column `words` keeps its
 * meaning, so the previous version works with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(functions).execute(db);
  await sql.raw(`alter table apps add column domain_unicode text`).execute(db);
  for (const [table, words] of Object.entries(searched)) {
    const column = sql`words text not null generated always as (${foldedWords(`comparable_text(${words})`)}) stored`;
    await sql`alter table ${sql.table(table)} drop column words, add column ${column}`.execute(db);
  }
  await sql.raw(columns).execute(db);
  // The last step: no table with a pending trigger can be altered.
  await normaliseDomains(db);
}

/**
 * `plain_text`: NFKC without invisible characters (Default_Ignorable_Code_Point). `comparable_text`: that in lower case. The locale C,
 * which the embedded database has, lowers ASCII letters only, so ICU lowers where the server has it.
 */
const functions = String.raw`
create function plain_text(value text) returns text language sql immutable strict parallel safe
return normalize(regexp_replace(value,
  '[\u00AD\u034F\u061C\u115F-\u1160\u17B4-\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
  '', 'g'), nfkc);
do $$
begin
  if exists (select from pg_collation where collname = 'und-x-icu') then
    create function comparable_text(value text) returns text language sql immutable strict parallel safe
    return lower(plain_text(value) collate "und-x-icu");
  else
    create function comparable_text(value text) returns text language sql immutable strict parallel safe
    return lower(plain_text(value));
  end if;
end $$;
`;

const searched = {
  apps: `name || ' ' || bundle || ' ' || domain || ' ' || coalesce(domain_unicode, '')`,
  accounts: `name || ' ' || email`,
  traffic_servers: `name || ' ' || url`,
  roles: 'name',
  streams: `name || ' ' || uid`,
};

const columns = `
alter table apps add column found_by text not null generated always as
  (comparable_text(name || E'\\n' || bundle || E'\\n' || domain || E'\\n' || coalesce(domain_unicode, ''))) stored;
create index apps_comparable_name on apps (trim(comparable_text(name)));
create index apps_comparable_bundle on apps (comparable_text(bundle));
create index accounts_plain_name on accounts (panel, plain_text(name)) where deleted_at is null;
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index apps_words on apps using gin (words gin_trgm_ops);
    create index accounts_words on accounts using gin (words gin_trgm_ops) where deleted_at is null;
    create index streams_words on streams using gin (words gin_trgm_ops) where deleted_at is null;
  end if;
end $$;
`;

/** Writes domains in the form of DNS. Those that would be one with another app's, and those that are no host name, stay. */
export async function normaliseDomains<T>(db: Kysely<T>): Promise<void> {
  const { rows: apps } = await sql<{ id: number; domain: string }>`select id, domain from apps order by id`.execute(db);
  const idsOf = Map.groupBy(apps, ({ domain }) => hostNameOf(domain) ?? domain);
  for (const [domain, sameApps] of idsOf) {
    const [app, ...others] = sameApps;
    if (app === undefined || others.length > 0 || hostNameOf(domain) === null) continue;
    const unicode = domainToUnicode(domain);
    if (app.domain === domain && unicode === domain) continue;
    await sql`update apps set domain = ${domain}, domain_unicode = ${unicode === domain ? null : unicode} where id = ${app.id}`.execute(db);
  }
}

const hostName = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

function hostNameOf(text: string): string | null {
  const isMisread = /[^\P{ASCII}A-Za-z\d.-]|[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]/u.test(text);
  const ascii = isMisread ? undefined : URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '');
  return ascii !== undefined && hostName.test(ascii) ? ascii : null;
}

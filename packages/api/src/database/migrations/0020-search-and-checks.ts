import { type Kysely, sql } from 'kysely';

/**
 * The words by which the search of the console finds a row, their indexes, the black list in the order of addresses, and checks of columns
 * that take a value of a list.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, words] of Object.entries(searched)) {
    const column = sql`words text not null generated always as (${foldedWords(`lower(${words})`)}) stored`;
    await sql`alter table ${sql.table(table)} add column ${column}`.execute(db);
  }
  await sql.raw(indexes).execute(db);
  await sql.raw(checks).execute(db);
}

/** Lower-case words, given as SQL, with their letters and marks folded. */
export function foldedWords(lowerWords: string) {
  return sql`translate(${sql.raw(lowerWords)}, ${sql.lit(letters)}, ${sql.lit(latin)})`;
}

const searched = {
  apps: `name || ' ' || bundle || ' ' || domain`,
  accounts: `name || ' ' || email`,
  traffic_servers: `name || ' ' || url`,
  roles: 'name',
  streams: `name || ' ' || uid`,
};

/** Letters and marks that are folded, as `folded-letters.ts` has them; a test compares both. */
const letters = [
  ` .@-_/:+,&'()%#!?*|\\[]{}^$`,
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґў',
  'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ',
  'àáâãäåāăąæçćčďđèéêëēęěğģìíîïīįıķĺļľłñńņňòóôõöøőœŕřśšşșßťţțùúûüūůűųýÿźžż',
].join('');
const latin = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abvgdeejziiklmnoprstufhccwwxyxeuaiiegu',
  'abgdezhqiklmnxoprsstyfcvwaehioyw',
  'aaaaaaaaaacccddeeeeeeeggiiiiiiikllllnnnnoooooooorrssssstttuuuuuuuuyyzzz',
].join('');

/** The fourth migration adds the extension where it can be had. Without it a search reads every name. */
const indexes = `
create index apps_name_order on apps (lower(name) collate "C", id);
create index accounts_name_order on accounts (lower(name) collate "C", id) where deleted_at is null;
create index streams_name_order on streams (lower(name) collate "C", uid) where deleted_at is null;
create index black_ips_address on black_ips ((ip::inet));
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index apps_words on apps using gin (words gin_trgm_ops);
    create index accounts_words on accounts using gin (words gin_trgm_ops) where deleted_at is null;
    create index streams_words on streams using gin (words gin_trgm_ops) where deleted_at is null;
  end if;
end $$;
`;

/** The lists of 1.2.14, which rejected every other value. */
const checks = `
alter table apps
  add check (vertical in ('bet', 'casino', 'social_casino', 'fantasy', 'finance')),
  add check (conversion_api_type in ('mmp_appsflyer', 'google_analytics')),
  add check (app_mode in ('default', 'push_only', 'one_request_url')),
  add check (response_mode in ('white', 'custom')),
  add check (proxy_cache_seconds in (300, 600, 900, 3600, 86400, 604800, 2592000)),
  add check (cloak_mode in ('default', 'none', 'custom', 'magic_checker'));
alter table check_domains add check (status in ('add', 'bind', 'ssl', 'ok', 'err_add', 'err_bind', 'err_ssl'));
`;

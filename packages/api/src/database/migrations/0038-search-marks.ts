import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The words by which the search of the console finds a row, with Latin letters for punctuation and other letters, and their indexes. */
export const searchMarks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const [table, words] of Object.entries(searched)) {
      const marked = sql`translate(lower(${sql.raw(words)}), ${sql.lit(signs)}, ${sql.lit(letters)})`;
      await sql`alter table ${sql.table(table)} add column words text not null generated always as (${marked}) stored`.execute(db);
    }
    await sql.raw(indexes).execute(db);
  },
};

const searched = {
  apps: `name || ' ' || bundle || ' ' || domain`,
  accounts: `name || ' ' || email`,
  traffic_servers: `name || ' ' || url`,
  roles: 'name',
  streams: `name || ' ' || uid`,
};

/**
 * Trigrams know no punctuation, and none but ASCII letters where the database has the locale C, as the embedded one has. Without
 * the letters, those of "com." are in every address that ends with "com". Patterns are folded alike.
 */
export const foldedLetters = [
  [` .@-_/:+,&'()%#!?*|\\[]{}^$`, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  ['абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґў', 'abvgdeejziiklmnoprstufhccwwxyxeuaiiegu'],
  ['αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ', 'abgdezhqiklmnxoprsstyfcvwaehioyw'],
  [
    'àáâãäåāăąæçćčďđèéêëēęěğģìíîïīįıķĺļľłñńņňòóôõöøőœŕřśšşșßťţțùúûüūůűųýÿźžż',
    'aaaaaaaaaacccddeeeeeeeggiiiiiiikllllnnnnoooooooorrssssstttuuuuuuuuyyzzz',
  ],
] as const;
const signs = foldedLetters.map(([from]) => from).join('');
const letters = foldedLetters.map(([, to]) => to).join('');

/** Without the extension a search reads every name. */
const indexes = `
create index streams_name_order on streams (lower(name) collate "C", uid) where deleted_at is null;
drop index if exists accounts_words, apps_words, streams_words;
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index apps_words on apps using gin (words gin_trgm_ops);
    create index accounts_words on accounts using gin (words gin_trgm_ops) where deleted_at is null;
    create index streams_words on streams using gin (words gin_trgm_ops) where deleted_at is null;
  end if;
end $$;
`;

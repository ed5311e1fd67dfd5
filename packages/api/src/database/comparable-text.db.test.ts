import { comparableText, plainForm } from '@switchyard/contract/text-fields';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../test/test-database.ts';
import { containsAlike } from './sql-conditions.ts';

const { databases } = await createTestDatabase();

type Forms = { text: string; plain: string; comparable: string };

async function storedForms(texts: readonly string[]): Promise<Forms[]> {
  const { rows } = await sql<Forms>`
    select text, plain_text(text) as plain, comparable_text(text) as comparable from unnest(${texts}::text[]) with ordinality as t (text, n) order by n
  `.execute(databases.db);
  return rows;
}

it('[NAME-004] the database leaves out the same invisible characters as the contract', async () => {
  const points = Array.from({ length: 0x11_00_00 }, (_, point) => point).filter(
    (point) => point !== 0 && (point < 0xd8_00 || point > 0xdf_ff),
  );
  const kept = points.map((point) => String.fromCodePoint(point)).filter((character) => /[\p{Cf}\p{Mn}\p{Lo}\p{Cn}]/u.test(character));
  const { rows } = await sql<{ text: string }>`select text from unnest(${kept}::text[]) as text where plain_text(text) = ''`.execute(
    databases.db,
  );
  expect(rows.map(({ text }) => text)).toEqual(kept.filter((character) => /\p{Default_Ignorable_Code_Point}/u.test(character)));
});

it('[NAME-004] the database compares texts as the contract does', async () => {
  const letters = fc.constantFrom(
    'é',
    'e\u0301',
    'É',
    '\uff23',
    'C',
    '\u200b',
    '\u202e',
    'İ',
    'I\u0307',
    'ß',
    'ﬁ',
    ' ',
    '\u00a0',
    'a',
    'ё',
    '한',
    '\u1112\u1161\u11ab',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: letters, maxLength: 12 }), { minLength: 20, maxLength: 20 }), async (texts) => {
      expect(await storedForms(texts)).toEqual(texts.map((text) => ({ text, plain: plainForm(text), comparable: comparableText(text) })));
    }),
    { numRuns: 20 },
  );
});

it('[NAME-004] a search finds every form of a sigma and of an I with a dot', async () => {
  const word = fc.string({ unit: fc.constantFrom('Σ', 'σ', 'ς', 'İ', 'I', 'i', 'Ο', 'ﬁ', ' '), maxLength: 5 });
  const folded = (text: string): string =>
    Array.from(text.normalize('NFKC'), (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase()).replace('ς', 'σ')).join('');
  const words = ['ΑΣΦΑΛΕΙΑ', 'ΑΣ', 'οδος', 'ΟΔΟΣ', 'İstanbul', 'istanbul', ...fc.sample(word, { numRuns: 100, seed: 7 })];
  for (const search of words) {
    const found = containsAlike(sql<string>`text`, search);
    const { rows } = await sql<{ text: string }>`
      select text from unnest(${words}::text[]) with ordinality as t (text, n) where ${found} order by n`.execute(databases.db);
    expect(rows.map(({ text }) => text)).toEqual(words.filter((text) => folded(text).includes(folded(search))));
  }
});

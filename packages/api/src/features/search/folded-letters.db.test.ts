import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/test-database.ts';
import { foldedLetters } from './folded-letters.ts';
import { lettersOf } from './search-patterns.ts';

it('[CMD-001] the database stores the words of a name as patterns fold them', async () => {
  const { databases } = await createTestDatabase();
  const name = `Plain 09 ${foldedLetters.map(([letters]) => letters).join('')}`;
  const { rows } = await sql<{ words: string }>`update roles set name = ${name} where id = 1 returning words`.execute(databases.db);
  expect(rows).toEqual([{ words: lettersOf(name).join('') }]);
});

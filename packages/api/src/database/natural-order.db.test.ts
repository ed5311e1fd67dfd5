import { compareNames } from '@switchyard/contract/text-fields';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../test/test-database.ts';
import { inNaturalOrder } from './sql-conditions.ts';

const { databases } = await createTestDatabase();

async function sorted(names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from unnest(${names}::text[]) as named (name) order by ${inNaturalOrder('name')}`.execute(databases.db);
  return rows.map(({ name }) => name);
}

it('[LIST-009] names sort with É beside E and 2 before 10, in any letter case', async () => {
  const names = ['Zoo 1', 'edge 10', 'École', 'Edge 2', 'apple', 'Änderung', 'edge 1', 'Bet 007', 'Bet 7a', 'Ёлка', 'Ель'];
  expect(await sorted(names)).toEqual([
    'Änderung',
    'apple',
    'Bet 007',
    'Bet 7a',
    'École',
    'edge 1',
    'Edge 2',
    'edge 10',
    'Zoo 1',
    'Ёлка',
    'Ель',
  ]);
});

it('[LIST-009] the database sorts names as the console does', async () => {
  const letters = fc.constantFrom('a', 'b', 'é', 'e', 'ö', 'z', 'я', ' ', '-', '.', '0', '1', '2', '9');
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ unit: letters, minLength: 1, maxLength: 8 }), { minLength: 20, maxLength: 30 }),
      async (names) => {
        // Numbers with and without a zero before them are equal to the console, which then sorts by id.
        const inOrder = await sorted(names);
        expect(inOrder.toSorted(compareNames)).toEqual(inOrder);
      },
    ),
    { numRuns: 20 },
  );
});

import type pg from 'pg';
import { expect, it } from 'vitest';
import { createSharedSlots } from './shared-slots.ts';

it('[API-083] a slot that is released while the next connection locks it again is unlocked there', async () => {
  const answer = Promise.withResolvers<void>();
  const statements: string[] = [];
  /** A connection that gets every lock. The answer of the one that locks again arrives late. */
  async function query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    statements.push(`${/pg_\w+/.exec(text)?.[0]} ${JSON.stringify(values)}`);
    if (text.startsWith('select kind')) await answer.promise;
    return JSON.parse('[{"kind":-3,"place":6}]');
  }
  const restores: (() => Promise<void>)[] = [];
  const slots = createSharedSlots({
    query,
    listen: () => () => undefined,
    onConnect: (restore) => void restores.push(async () => restore(query)),
  });
  const release = await slots.take('batches', { slots: 1, owner: 6 });
  const restorations = restores.map(async (restore) => restore());
  release?.();
  // Has its turn after the release.
  await slots.take('batches', { slots: 0 });
  answer.resolve();
  await Promise.all(restorations);
  expect(statements).toEqual(['pg_try_advisory_lock [-3,[6]]', 'pg_try_advisory_lock [[-3],[6]]', 'pg_advisory_unlock [-3,6]']);
});

import { expect, it } from 'vitest';
import { distinguishStreams } from './stream-names.ts';

it('[REP-079] writes the uid beside names that several streams have, the ends of a long one', () => {
  const names = new Map([
    ['a1', 'PL search'],
    ['b2', 'PL video'],
    ['0123456789abcdef', 'PL search'],
  ]);
  expect([...distinguishStreams(names).values()]).toEqual(['PL search (a1)', 'PL video', 'PL search (012345…abcdef)']);
});

import type { AuditProblem } from '@switchyard/contract/audit-seals';
import { describe, expect, it } from 'vitest';
import { gapsAbove, groupProblems, marksOf } from './seal-problems.ts';

const problem = (kind: AuditProblem['kind'], entry: number | null, seal = 1): AuditProblem => ({
  kind,
  seal_id: String(seal),
  entry_id: entry === null ? null : String(entry),
});
const missingEntries = (...ids: number[]) => ids.map((id) => problem('entry-missing', id));
const rows = (...ids: number[]) => ids.map((id) => ({ id }));
const gaps = (givenRows: { id: number }[], ids: number[], isFirstPage = true) => [
  ...gapsAbove(givenRows, missingEntries(...ids), isFirstPage),
];
const text = (what: string) => `${what} deleted outside the console`;

describe('problems of seals in the list', () => {
  it('[IDN-101] are gaps above the next older row, also of rows that filters leave out', () => {
    expect(gaps(rows(9, 6, 5, 2), [7, 8])).toEqual([[6, text('Entries 7 to 8 were')]]);
    expect(gaps(rows(9, 6, 5, 2), [3])).toEqual([[2, text('Entry 3 was')]]);
    expect(gaps(rows(9, 2), [3, 5, 8])).toEqual([[2, text('3 entries between 3 and 8 were')]]);
    expect(gaps(rows(9, 6), [4])).toEqual([]);
    expect(gaps([], [4])).toEqual([]);
  });

  it('[IDN-101] are gaps above the first row if nothing newer is left, and on later pages if they are next to it', () => {
    expect(gaps(rows(6, 5), [8, 20])).toEqual([[6, text('2 entries between 8 and 20 were')]]);
    expect(gaps(rows(6, 5), [7, 8, 20], false)).toEqual([[6, text('Entries 7 to 8 were')]]);
    expect(gaps(rows(6, 5), [8, 20], false)).toEqual([]);
  });

  it('[IDN-101] are marks of changed and added entries, not of deleted ones', () => {
    const problems = [
      problem('entry-changed', 3),
      problem('entry-added', 4),
      problem('entry-ahead', 5),
      ...missingEntries(6),
      problem('seal-changed', null),
    ];
    expect([...marksOf(problems)].map(([id, { meaning }]) => [id, meaning])).toEqual([
      [3, 'Changed outside the console'],
      [4, 'Added outside the console'],
      [5, 'Added outside the console'],
    ]);
  });

  it('[IDN-101] are one line for deleted entries that follow each other in a seal', () => {
    const groups = groupProblems([
      ...missingEntries(5, 6, 7),
      problem('entry-changed', 8),
      problem('entry-changed', 9),
      ...missingEntries(10),
      problem('entry-missing', 11, 2),
    ]);
    expect(groups.map(({ kind, first, last, count }) => [kind, first, last, count])).toEqual([
      ['entry-missing', '5', '7', 3],
      ['entry-changed', '8', '8', 1],
      ['entry-changed', '9', '9', 1],
      ['entry-missing', '10', '10', 1],
      ['entry-missing', '11', '11', 1],
    ]);
  });
});

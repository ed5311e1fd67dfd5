import type { AuditRow } from '@switchyard/contract/audit';
import type { AuditProblem } from '@switchyard/contract/audit-seals';
import type { RowMark } from '../../shared/listing/list-row.tsx';

/** Consecutive problems of one kind: several entries from the first to the last, or one problem of its own. */
export type ProblemGroup = { kind: AuditProblem['kind']; first: string | null; last: string | null; count: number; sealId: string | null };

/** Groups deleted entries that follow each other, so that one line names them. */
export function groupProblems(problems: readonly AuditProblem[]): ProblemGroup[] {
  const groups: ProblemGroup[] = [];
  for (const { kind, seal_id: sealId, entry_id: id } of problems) {
    const group = groups.at(-1);
    if (kind === 'entry-missing' && group?.kind === kind && group.sealId === sealId) {
      group.last = id;
      group.count += 1;
    } else groups.push({ kind, first: id, last: id, count: 1, sealId });
  }
  return groups;
}

const marks: Readonly<Partial<Record<AuditProblem['kind'], RowMark>>> = {
  'entry-changed': { tone: 'warning', meaning: 'Changed outside the console' },
  'entry-added': { tone: 'warning', meaning: 'Added outside the console' },
  'entry-ahead': { tone: 'warning', meaning: 'Added outside the console' },
};

/** The marks of entries that were changed or added outside the console, by id. */
export function marksOf(problems: readonly AuditProblem[]): ReadonlyMap<number, RowMark> {
  return new Map(
    problems.flatMap(({ kind, entry_id: id }): [number, RowMark][] => {
      const mark = marks[kind];
      return mark === undefined || id === null ? [] : [[Number(id), mark]];
    }),
  );
}

/**
 * The texts above rows where entries were deleted, by the id of the row. Rows are newest first. Above the first row of a later page
 * are only the deleted entries next to it, because those further up belong to the page before.
 */
export function gapsAbove(
  rows: readonly Pick<AuditRow, 'id'>[],
  problems: readonly AuditProblem[],
  isFirstPage: boolean,
): ReadonlyMap<number, string> {
  const deletedIds = problems.flatMap(({ kind, entry_id: id }) => (kind === 'entry-missing' && id !== null ? [Number(id)] : []));
  if (deletedIds.length === 0) return new Map();
  const newestFirst = deletedIds.toSorted((a, b) => b - a);
  return new Map(
    rows.flatMap(({ id }, index): [number, string][] => {
      const above = rows[index - 1]?.id;
      const beyond = newestFirst.filter((entry) => entry > id && (above === undefined || entry < above));
      const gap = above === undefined && !isFirstPage ? nextTo(id, beyond) : beyond;
      return gap.length === 0 ? [] : [[id, gapText(gap)]];
    }),
  );
}

/** The ids, newest first, that follow an id without a break. */
function nextTo(id: number, newestFirst: readonly number[]): number[] {
  const oldestFirst = newestFirst.toReversed();
  return oldestFirst.filter((entry, index) => entry === id + 1 + index).toReversed();
}

function gapText(newestFirst: readonly number[]): string {
  const [last, first] = [newestFirst[0] ?? 0, newestFirst.at(-1) ?? 0];
  if (newestFirst.length === 1) return `Entry ${first} was deleted outside the console`;
  const isWhole = last - first + 1 === newestFirst.length;
  return isWhole
    ? `Entries ${first} to ${last} were deleted outside the console`
    : `${newestFirst.length} entries between ${first} and ${last} were deleted outside the console`;
}

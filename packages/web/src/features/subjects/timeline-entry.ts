import type { TimelineKind, TimelinePage, TimelineRow } from '@switchyard/contract/subjects';

/** An entry of a timeline with what identifies it. */
export type Entry = TimelineRow & { readonly id: string };

/** Data of a page of the timeline beside its entries. */
export type TimelineInfo = Pick<TimelinePage, 'newest' | 'logs_searched_to'>;

/** Names of the kinds of entries. */
export const kindNames: Readonly<Record<TimelineKind, string>> = {
  request: 'Request',
  push: 'Push',
  conversion: 'Conversion',
  log: 'Log entry',
};

/** The entries of a page; each kind has ids of its own. */
export function entriesOf(rows: readonly TimelineRow[]): Entry[] {
  return rows.map((row) => ({ ...row, id: idOf(row) }));
}

function idOf(row: TimelineRow): string {
  switch (row.kind) {
    case 'request':
      return `request ${row.request.id}`;
    case 'push':
      return `push ${row.push.id}`;
    case 'conversion':
      return `conversion ${row.conversion.id}`;
    default:
      return `log ${row.log.date} ${row.log.source ?? ''} ${row.log.position}`;
  }
}

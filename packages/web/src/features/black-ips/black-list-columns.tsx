import type { BlackListRow } from '@switchyard/contract/black-list';
import { durationText, parseDateTime } from '@switchyard/contract/dates';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { correctedClock } from '../../shared/time/corrected-clock.ts';
import { CutLabel } from '../../shared/ui/cut-label.tsx';
import { textLengths } from '../../shared/ui/display-limits.ts';
import { RemoveIpButton } from './remove-ip-button.tsx';

/** The time until an entry expires, in its two largest units. */
function timeLeft(expiresAt: string): string {
  return `in ${durationText(parseDateTime(expiresAt) / 1000 - correctedClock.now().getTime())}`;
}

export function blackListColumns(displayDate: (text: string) => string): ListColumn<BlackListRow>[] {
  return [
    { id: 'ip', cellName: 'IP', width: 180, isMain: true, isFixed: true, cell: ({ entry }) => <span className="tabular">{entry}</span> },
    {
      id: 'reason',
      cellName: 'Reason',
      width: 162,
      minWidth: 140,
      grows: true,
      isMain: true,
      cell: ({ reason }) => (reason === '' ? '-' : <CutLabel text={reason} to={textLengths.blackIpReason} />),
    },
    {
      id: 'expires',
      cellName: 'Expires',
      width: 190,
      cell: ({ expires_at: at }) =>
        at === null ? (
          'Never'
        ) : (
          <span className="tabular" title={displayDate(at)}>
            {timeLeft(at)}, {displayDate(at).slice(0, 'DD.MM.YYYY HH:mm'.length)}
          </span>
        ),
    },
    {
      id: 'source',
      cellName: 'Source',
      width: 120,
      minWidth: 80,
      cell: ({ source }) => (source === '' ? '-' : <CutLabel text={source} to={textLengths.blackIpReason} />),
    },
    {
      id: 'covered',
      cellName: 'Covered by',
      width: 150,
      tooltip: 'The widest network of the list that blocks the entry for as long as the entry itself does',
      cell: ({ covered_by: network }) => (network === null ? '-' : <span className="tabular">{network}</span>),
    },
    {
      id: 'updated',
      cellName: 'Updated',
      width: 164,
      cell: ({ updated_at: at }) => <span className="tabular">{displayDate(at)}</span>,
    },
    {
      id: 'delete',
      cellName: 'Delete',
      width: 72,
      ...actionColumn,
      cell: (row) => <RemoveIpButton row={row} />,
    },
  ];
}

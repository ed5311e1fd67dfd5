import type { BlackIpRow } from '@switchyard/contract/black-ips';
import { cuts } from '@switchyard/contract/limits';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { CutLabel } from '../../shared/ui/cut-label.tsx';
import { RemoveIpButton } from './remove-ip-button.tsx';

/** What the list tells of an address (BIP-005 to BIP-008). */
export function blackIpsColumns(displayDate: (text: string) => string): ListColumn<BlackIpRow>[] {
  return [
    { id: 'ip', cellName: 'IP', width: 160, isMain: true, isFixed: true, cell: ({ ip }) => <span className="tabular">{ip}</span> },
    {
      id: 'reason',
      cellName: 'Reason',
      width: 162,
      minWidth: 140,
      grows: true,
      isMain: true,
      cell: ({ reason }) => (reason === '' ? '-' : <CutLabel text={reason} to={cuts.blackIpReason} />),
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
      align: 'center',
      pin: 'end',
      isMain: true,
      isFixed: true,
      cell: (row) => <RemoveIpButton row={row} />,
    },
  ];
}

import type { AsnChange, AsnRow } from '@switchyard/contract/asns';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { CutLabel } from '../../shared/ui/cut-label.tsx';
import { BanToggle } from '../../shared/blocks/ban-toggle.tsx';
import { textLengths } from '../../shared/ui/display-limits.ts';
import { AsnCode } from './asn-traffic.tsx';

type Input = { displayDate: (text: string) => string; changes: ReadonlyMap<number, AsnChange> };

/** The columns of the autonomous systems. */
export function asnsColumns({ displayDate, changes }: Input): ListColumn<AsnRow>[] {
  return [
    {
      id: 'code',
      cellName: 'ASN',
      width: 112,
      isMain: true,
      isFixed: true,
      isNamedOnCards: true,
      cell: (row) => <AsnCode asn={row} />,
    },
    {
      id: 'domain',
      cellName: 'Domain',
      width: 130,
      minWidth: 100,
      cell: ({ domain }) => (domain === '' ? '-' : <span title={domain}>{domain}</span>),
    },
    {
      id: 'description',
      cellName: 'Description',
      width: 260,
      minWidth: 200,
      grows: true,
      isMain: true,
      cell: ({ name }) => (name === '' ? '-' : <CutLabel text={name} to={textLengths.asnDescription} />),
    },
    {
      id: 'create',
      cellName: 'Create',
      width: 104,
      isMain: true,
      isFixed: true,
      isNamedOnCards: true,
      cell: (row) => <BanToggle row={row} flag="isBanCreate" />,
    },
    {
      id: 'receive',
      cellName: 'Receive',
      width: 104,
      isMain: true,
      isFixed: true,
      isNamedOnCards: true,
      cell: (row) => <BanToggle row={row} flag="isBanReceive" />,
    },
    {
      id: 'changed',
      cellName: 'Changed',
      tooltip: 'Who changed its bans last',
      width: 260,
      minWidth: 180,
      cell: ({ code }) => {
        const change = changes.get(code);
        return change === undefined ? '-' : `${displayDate(change.at)} ${change.actor?.name ?? 'outside this console'}`;
      },
    },
  ];
}

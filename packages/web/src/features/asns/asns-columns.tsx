import type { AsnChange, AsnRow } from '@switchyard/contract/asns';
import { cuts } from '@switchyard/contract/limits';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { CutLabel } from '../../shared/ui/cut-label.tsx';
import { BanToggle } from './ban-toggle.tsx';

type Input = { displayDate: (text: string) => string; changes: ReadonlyMap<number, AsnChange> };

/** What the list tells of an autonomous system (ASN-008 to ASN-012). */
export function asnsColumns({ displayDate, changes }: Input): ListColumn<AsnRow>[] {
  return [
    {
      id: 'code',
      cellName: 'ASN',
      width: 112,
      isMain: true,
      isFixed: true,
      isNamedOnCards: true,
      cell: ({ code }) => <span className="tabular">{code}</span>,
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
      cell: ({ name }) => (name === '' ? '-' : <CutLabel text={name} to={cuts.asnDescription} />),
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
      tooltip: 'Who banned or freed it last',
      width: 260,
      minWidth: 180,
      cell: ({ code }) => {
        const change = changes.get(code);
        return change === undefined ? '-' : `${displayDate(change.at)} ${change.actor?.name ?? 'by nobody of this console'}`;
      },
    },
  ];
}

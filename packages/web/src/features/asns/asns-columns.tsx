import { type AsnChange, type AsnFigures, asnListDays, type AsnOrder, type AsnRow } from '@switchyard/contract/asns';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { CutLabel } from '../../shared/ui/cut-label.tsx';
import { groupedNumber, percentText } from '../../shared/ui/text-format.ts';
import { BanToggle } from '../../shared/blocks/ban-toggle.tsx';
import { textLengths } from '../../shared/ui/display-limits.ts';
import { AsnCode } from './asn-traffic.tsx';
import { BanReason } from './ban-reason.tsx';

/** A system; readers of requests see its traffic. */
export type ListedAsn = AsnRow & { traffic?: AsnFigures | null };

type Input = {
  displayDate: (text: string) => string;
  /** Of rows that have none of their own; null: the reader may not see it. */
  traffic: ReadonlyMap<number, AsnFigures> | null;
  /** Of systems that were ever changed; null while unknown. */
  changes: ReadonlyMap<number, AsnChange> | null;
};

type FigureColumn = {
  id: string;
  cellName: string;
  tooltip: string;
  cellNameOrderAble: AsnOrder;
  cell: (traffic: AsnFigures) => string;
};

const lastDays = `of the last ${asnListDays} days`;
const figureColumns: readonly FigureColumn[] = [
  {
    id: 'requests',
    cellName: 'Requests',
    tooltip: `Requests ${lastDays}`,
    cellNameOrderAble: 'requests',
    cell: ({ requests }) => groupedNumber(requests),
  },
  {
    id: 'bots',
    cellName: 'Bots',
    tooltip: `Share of requests with a bot label, ${lastDays}`,
    cellNameOrderAble: 'bots',
    cell: ({ requests, bots }) => (requests === 0 ? '-' : percentText(bots / requests)),
  },
  {
    id: 'create-requests',
    cellName: 'Creates',
    tooltip: `Requests of type create ${lastDays}, which a ban would have blocked`,
    cellNameOrderAble: 'create',
    cell: ({ create }) => groupedNumber(create),
  },
  {
    id: 'receive-requests',
    cellName: 'Receives',
    tooltip: `Requests of type receive ${lastDays}, which a ban would have blocked`,
    cellNameOrderAble: 'receive',
    cell: ({ receive }) => groupedNumber(receive),
  },
];

/** The columns of the autonomous systems. */
export function asnsColumns({ displayDate, traffic, changes }: Input): ListColumn<ListedAsn>[] {
  return [
    {
      id: 'code',
      cellName: 'ASN',
      cellNameOrderAble: 'code',
      isOrderAble: traffic !== null,
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
    ...(traffic === null ? [] : figureColumns).map(({ cell, ...column }): ListColumn<ListedAsn> => ({
      ...column,
      width: 104,
      align: 'end',
      isFigure: true,
      isMain: column.id === 'requests',
      isNamedOnCards: true,
      cell: (row) => {
        const figures = row.traffic ?? traffic?.get(row.code);
        return figures === undefined ? '-' : cell(figures);
      },
    })),
    {
      id: 'changed',
      cellName: 'Changed',
      tooltip: 'Who changed its bans last',
      width: 260,
      minWidth: 180,
      cell: ({ code }) => {
        const change = changes?.get(code);
        return change === undefined ? '-' : `${displayDate(change.at)} ${change.actor?.name ?? 'outside this console'}`;
      },
    },
    {
      id: 'reason',
      cellName: 'Reason',
      tooltip: 'Why it is banned',
      width: 180,
      minWidth: 110,
      isNamedOnCards: true,
      cell: (row) => (changes === null ? '-' : <BanReason row={row} reason={changes.get(row.code)?.reason ?? ''} />),
    },
  ];
}

import type { ConversionRow } from '@switchyard/contract/conversions';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { DeliveryStatus } from '../delivery-status.tsx';
import { TextCell } from '../../shared/ui/text-cell.tsx';
import { placeColumns } from '../place-columns.tsx';
import type { ColumnsInput } from '../traffic-tab.tsx';
import { UidCell } from '../uid-cell.tsx';
import { ValueMenu } from '../value-menu.tsx';

const amount = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 });

/** The columns of an app's conversions; headers are the names of the fields, as in the specification. */
export function conversionColumns({ displayDate }: ColumnsInput<ConversionRow>): ListColumn<ConversionRow>[] {
  return [
    { id: 'id', cellName: 'id', title: 'Id', cellNameOrderAble: 'keyId', width: 70, isFixed: true, pin: 'start', cell: (row) => row.id },
    {
      id: 'source',
      cellName: 'source',
      title: 'Source',
      width: 80,
      minWidth: 70,
      grows: true,
      cell: (row) => <TextCell text={row.source} />,
    },
    {
      id: 'client_uid',
      cellName: 'client_uid',
      title: 'Client uid',
      cellNameOrderAble: 'keyClient',
      width: 112,
      cell: (row) => <UidCell uid={row.client_uid} noun="client uid" isShort kind="client" />,
    },
    {
      id: 'stream_uid',
      cellName: 'stream_uid',
      title: 'Stream uid',
      width: 112,
      cell: (row) => <UidCell uid={row.stream_uid} noun="stream uid" isShort kind="stream" />,
    },
    {
      id: 'click_id',
      cellName: 'click_id',
      title: 'Click id',
      width: 112,
      cell: (row) => <UidCell uid={row.click_id} noun="click id" isShort />,
    },
    {
      id: 'receive_apf_uid',
      cellName: 'receive_apf_uid',
      title: 'Receive APF uid',
      width: 118,
      cell: (row) => <UidCell uid={row.receive_apf_uid} noun="receive apf uid" isShort />,
    },
    {
      id: 'app_instance_id',
      cellName: 'app_instance_id',
      title: 'App instance id',
      width: 114,
      cell: (row) => <UidCell uid={row.app_instance_id} noun="app instance id" isShort />,
    },
    {
      id: 'status_conversion',
      cellName: 'status_conversion',
      title: 'Status conversion',
      width: 120,
      minWidth: 120,
      isMain: true,
      cell: ({ status_conversion: text }) => (
        <ValueMenu kind="conversion" value={text}>
          <TextCell text={text} />
        </ValueMenu>
      ),
    },
    {
      id: 'payout',
      cellName: 'payout',
      title: 'Payout',
      width: 72,
      align: 'end',
      cell: (row) => <Payout payout={row.payout} />,
    },
    // Before the last two, which stay in view at the end.
    ...placeColumns<ConversionRow>(),
    {
      id: 'status',
      cellName: 'status',
      title: 'Status',
      cellNameOrderAble: 'keyStatus',
      width: 98,
      minWidth: 90,
      isMain: true,
      isFixed: true,
      pin: 'end',
      cell: (row) => <DeliveryStatus status={row.status} error={row.error} hasMenu />,
    },
    {
      id: 'created_at',
      cellName: 'created_at',
      title: 'Created at',
      tooltip: 'When the conversion happened; the days of the filter go by it',
      width: 156,
      isMain: true,
      // Stays beside the status before it, which a window of 1024 pixels would cut off.
      pin: 'end',
      cell: (row) => displayDate(row.created_at),
    },
  ];
}

function Payout({ payout }: { payout: number | null }) {
  if (payout === null) return '-';
  const text = amount.format(payout);
  return <span title={text}>{text}</span>;
}

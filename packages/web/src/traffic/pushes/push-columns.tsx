import { ActionIcon } from '@mantine/core';
import type { PushRow } from '@switchyard/contract/pushes';
import { IconBraces } from '@tabler/icons-react';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { DeliveryStatus } from '../delivery-status.tsx';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { TextCell } from '../../shared/ui/text-cell.tsx';
import { placeColumns } from '../place-columns.tsx';
import type { ColumnsInput } from '../traffic-tab.tsx';
import { UidCell } from '../uid-cell.tsx';
import classes from './push-preview.module.css';
import { PushPreview } from './push-preview.tsx';

/** The columns of an app's pushes. */
export function pushColumns({ displayDate, show }: ColumnsInput<PushRow>): ListColumn<PushRow>[] {
  return [
    {
      id: 'push_id',
      cellName: 'Push id',
      cellNameOrderAble: 'keyId',
      tooltip: 'Sorts by arrival: by the number before the id',
      width: 148,
      minWidth: 130,
      isFixed: true,
      pin: 'start',
      cell: (row) => (
        <span className={classes['arrival']}>
          <span className={classes['number']}>#{row.id}</span>
          <UidCell uid={row.push_id} noun="push id" kind="push" />
        </span>
      ),
    },
    { id: 'push_name', cellName: 'Push name', width: 112, minWidth: 90, cell: (row) => <TextCell text={row.push_name} /> },
    {
      id: 'push_message',
      cellName: 'Push message',
      width: 252,
      minWidth: 200,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: (row) => (
        <span className={classes['message']}>
          <PushPreview message={row.push_message} />
          <ShowMessage id={row.id} onShow={() => show(row)} />
        </span>
      ),
    },
    { id: 'uid', cellName: 'Uid', width: 96, minWidth: 80, cell: (row) => <UidCell uid={row.uid} noun="uid" kind="uid" /> },
    {
      id: 'client_uid',
      cellName: 'Client uid',
      width: 96,
      minWidth: 80,
      cell: (row) => <UidCell uid={row.client_uid} noun="client uid" kind="client" />,
    },
    {
      id: 'push_campaign_uid',
      cellName: 'Push campaign uid',
      cellNameOrderAble: 'keyCampaign',
      width: 150,
      minWidth: 150,
      cell: (row) => <UidCell uid={row.push_campaign_uid} noun="push campaign uid" kind="campaign" />,
    },
    {
      id: 'send_at',
      cellName: 'Send at',
      cellNameOrderAble: 'keySendAt',
      width: 156,
      isMain: true,
      cell: (row) => displayDate(row.send_at),
    },
    {
      id: 'status',
      cellName: 'Status',
      cellNameOrderAble: 'keyStatus',
      width: 94,
      minWidth: 94,
      isMain: true,
      cell: (row) => <DeliveryStatus status={row.status} error={row.error} />,
    },
    { id: 'error', cellName: 'Error', width: 104, minWidth: 80, grows: true, cell: (row) => <TextCell text={row.error ?? ''} /> },
    ...placeColumns<PushRow>(),
  ];
}

function ShowMessage({ id, onShow }: { id: number; onShow: () => void }) {
  const tabIndex = useGridTabIndex();
  return (
    <ActionIcon
      variant="subtle"
      color="neutral"
      size="sm"
      aria-label={`Show push ${id}`}
      title="Show the message as JSON"
      tabIndex={tabIndex}
      onClick={onShow}
    >
      <IconBraces size={14} aria-hidden />
    </ActionIcon>
  );
}

import { listMessages, resendMessage, type Channel, type ChannelMessage } from '@switchyard/contract/channels';
import { messageStates, type MessageState } from '@switchyard/contract/message-delivery';
import { IconRepeat } from '@tabler/icons-react';
import { useMemo } from 'react';
import { SeverityMark } from '../../shared/alerts/alert-marks.tsx';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { call } from '../../shared/api/call.ts';
import { manyFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../shared/listing/filter.ts';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { List } from '../../shared/listing/list.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { RowAction } from '../../shared/listing/row-action.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { CopyIcon } from '../../shared/ui/copy.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { TitledText } from '../../shared/ui/text-cell.tsx';
import { refreshChannels } from './channel-model.ts';
import classes from './channels.module.css';

const messagesQuery = listMessages.query;
const rowId = ({ id }: ChannelMessage): number => id;
const stateNames: Readonly<Record<MessageState, string>> = { pending: 'Waiting', sent: 'Sent', failed: 'Failed', dropped: 'Dropped' };
const tones: Readonly<Record<MessageState, string | undefined>> = {
  pending: undefined,
  sent: 'success',
  failed: 'danger',
  dropped: undefined,
};
const filters: Filters<ReturnType<typeof messagesQuery.parse>> = {
  state: manyFilter({ label: 'State', width: 150, options: messageStates.map((state) => ({ value: state, name: stateNames[state] })) }),
};

/** The messages of a channel of the last 30 days; failed ones can be sent again. */
export function ChannelMessages({ channel: { id } }: { channel: Channel }) {
  const list = useList({
    name: `channel-messages-${id}`,
    schema: messagesQuery,
    rowId,
    load: (query, signal) => call(listMessages, { params: { id }, query, signal }),
  });
  const displayDate = useDisplayDate();
  const mayChange = useMayChangeAlerts();
  const { reload } = list;
  const columns = useMemo(() => messageColumns({ displayDate, mayChange, reload }), [displayDate, mayChange, reload]);
  return (
    <List
      list={list}
      noun="messages"
      settingsName="channel-messages"
      columns={columns}
      filters={filters}
      tools={<RefreshButton onRefresh={list.reload} />}
      empty={{ title: 'No messages yet', text: 'Messages of this channel are listed here for 30 days. Send a test to try it.' }}
    />
  );
}

type Input = { displayDate: (text: string) => string; mayChange: boolean; reload: () => void };

function messageColumns({ displayDate, mayChange, reload }: Input): ListColumn<ChannelMessage>[] {
  const time = (at: string | null) => <span className="tabular">{at === null ? '-' : displayDate(at)}</span>;
  const actions: ListColumn<ChannelMessage> = {
    id: 'actions',
    cellName: 'Again',
    width: 64,
    ...actionColumn,
    cell: (message) =>
      message.state === 'failed' ? (
        <RowAction
          icon={IconRepeat}
          label={`Send again: ${withMarks(message.title)}`}
          title="Send again"
          onClick={() => void sendAgain(message, reload)}
        />
      ) : null,
  };
  return [
    {
      id: 'state',
      cellName: 'State',
      width: 84,
      isMain: true,
      isFixed: true,
      cell: ({ state }) => (
        <span className={classes['state']} data-tone={tones[state]}>
          {stateNames[state]}
        </span>
      ),
    },
    {
      id: 'title',
      cellName: 'Message',
      width: 280,
      minWidth: 160,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: ({ title }) => <TitledText text={title} />,
    },
    { id: 'severity', cellName: 'Severity', width: 96, cell: ({ severity }) => <SeverityMark severity={severity} /> },
    { id: 'created', cellName: 'Created', width: 150, isMain: true, cell: ({ created_at: at }) => time(at) },
    { id: 'sent', cellName: 'Sent', width: 150, cell: ({ sent_at: at }) => time(at) },
    { id: 'next', cellName: 'Next attempt', width: 150, cell: ({ next_attempt_at: at }) => time(at) },
    { id: 'attempts', cellName: 'Attempts', width: 80, align: 'end', cell: ({ attempts }) => groupedNumber(attempts) },
    {
      id: 'answer',
      cellName: 'Answer',
      width: 240,
      minWidth: 120,
      grows: true,
      cell: ({ answer }) => (answer === null || answer === '' ? '-' : <TitledText text={answer} />),
    },
    {
      id: 'uid',
      cellName: 'Id',
      tooltip: 'Id that the receiver gets with each attempt',
      width: 64,
      isOptional: true,
      cell: ({ uid }) => <CopyIcon label="Copy the id" text={uid} />,
    },
    ...(mayChange ? [actions] : []),
  ];
}

async function sendAgain({ id }: ChannelMessage, reload: () => void): Promise<void> {
  try {
    await call(resendMessage, { params: { id } });
    notify({ type: 'success', message: 'The message will be sent again' });
  } catch {
    // The call has shown why; the reloaded list shows the state.
  } finally {
    reload();
    await refreshChannels();
  }
}

import { deleteChannel, listChannelRules, listChannels, listChannelSchedules, type Channel } from '@switchyard/contract/channels';
import { useCallback } from 'react';
import { SeverityMark } from '../../shared/alerts/alert-marks.tsx';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { call } from '../../shared/api/call.ts';
import { buttonColumn, confirmDeletion, EntityListPage, type ColumnInput } from '../../shared/entities/entity-list.tsx';
import { nameColumn, onColumn, textColumn } from '../../shared/listing/entity-columns.tsx';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { channelKindNames, channelTabs, refreshChannels } from './channel-model.ts';
import classes from './channels.module.css';
import { UsersOfChannel } from './users-of-channel.tsx';

const pathOf = (id: number): string => paths.channelEdit(id);

/** Destinations for messages. */
export function ChannelsPage() {
  const mayChange = useMayChangeAlerts();
  const columns = useCallback((input: ColumnInput<Channel>) => channelColumns(input, mayChange), [mayChange]);
  return (
    <EntityListPage
      name="channels"
      noun="channels"
      load={(input) => call(listChannels, input)}
      note="Where incidents and reports are announced outside the console."
      columns={columns}
      create={mayChange ? { label: 'Create channel', href: paths.channelCreate() } : null}
      pathOf={pathOf}
      empty={{ title: 'No channels yet', text: 'Without one, incidents are shown in the console only.' }}
    />
  );
}

function channelColumns({ displayDate, rows }: ColumnInput<Channel>, mayChange: boolean): ListColumn<Channel>[] {
  return [
    onColumn(),
    nameColumn(pathOf),
    { id: 'kind', cellName: 'Kind', width: 100, isMain: true, cell: ({ kind }) => channelKindNames[kind] },
    { ...textColumn('target', 'Destination', 240, ({ shown_target: target }: Channel) => target), minWidth: 140 },
    {
      id: 'severity',
      cellName: 'Minimum severity',
      width: 110,
      cell: ({ minimum_severity: severity }) => <SeverityMark severity={severity} />,
    },
    {
      id: 'digest',
      cellName: 'Digest',
      width: 76,
      cell: ({ digest_minutes: minutes }) => (minutes === 0 ? '-' : `${minutes} min`),
    },
    {
      id: 'sent',
      cellName: 'Last sent',
      width: 150,
      isMain: true,
      cell: ({ last_sent_at: at }) => <span className="tabular">{at === null ? 'Never' : displayDate(at)}</span>,
    },
    { id: 'pending', cellName: 'Waiting', width: 76, align: 'end', cell: ({ pending }) => groupedNumber(pending) },
    {
      id: 'failed',
      cellName: 'Failed',
      tooltip: 'Messages of the last 30 days that could not be delivered',
      width: 76,
      align: 'end',
      cell: ({ id, failed }) =>
        failed === 0 ? (
          '0'
        ) : (
          <AppLink
            className={classes['failed'] ?? ''}
            href={paths.channelEdit(id, { startTabName: channelTabs.messages, state: 'failed' })}
          >
            {groupedNumber(failed)}
          </AppLink>
        ),
    },
    buttonColumn({ pathOf, mayChange, onDelete: (channel) => void askToDelete(channel, rows) }),
  ];
}

/** Asks before a channel is deleted, and which one takes its place in the rules and schedules that name it. */
async function askToDelete({ id, name, pending }: Channel, channels: readonly Channel[]): Promise<void> {
  const users = await Promise.all([call(listChannelRules, { params: { id } }), call(listChannelSchedules, { params: { id } })]).then(
    ([rules, schedules]) => ({ rules: rules.data, schedules: schedules.data }),
    // The call has shown why.
    () => null,
  );
  if (users === null) return;
  const isUsed = users.rules.length + users.schedules.length > 0;
  let replacement = 0;
  confirmDeletion({
    noun: 'channel',
    name,
    suffix: ' and the list of its messages',
    lines: pending === 0 ? [] : [`${pending === 1 ? '1 waiting message' : `${groupedNumber(pending)} waiting messages`} will not be sent.`],
    ...(isUsed && {
      details: (
        <UsersOfChannel
          {...users}
          channels={channels.filter((channel) => channel.id !== id)}
          onChange={(chosenId) => {
            replacement = chosenId;
          }}
        />
      ),
    }),
    change: () => call(deleteChannel, { params: { id }, query: isUsed ? { replacement } : {} }),
    reload: refreshChannels,
  });
}

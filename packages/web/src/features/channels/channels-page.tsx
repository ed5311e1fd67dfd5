import { Button } from '@mantine/core';
import { deleteChannel, listChannelRules, listChannels, type Channel } from '@switchyard/contract/channels';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { SeverityMark } from '../../shared/alerts/alert-marks.tsx';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { call } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { nameColumn, onColumn } from '../../shared/listing/entity-columns.tsx';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { List } from '../../shared/listing/list.tsx';
import { RowAction } from '../../shared/listing/row-action.tsx';
import { useWholeList } from '../../shared/listing/use-whole-list.ts';
import { AppLink, useOpenPath } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { askToChange } from '../../shared/ui/confirm.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { TitledText } from '../../shared/ui/text-cell.tsx';
import { channelKindNames, channelTabs, refreshChannels } from './channel-model.ts';
import classes from './channels.module.css';
import { RulesOfChannel } from './rules-of-channel.tsx';

const rowId = ({ id }: Channel): number => id;

/** Destinations for messages. */
export function ChannelsPage() {
  const result = useQuery({ queryKey: listKey('channels'), queryFn: ({ signal }) => call(listChannels, { signal }) });
  const channels = result.data?.data;
  const list = useWholeList({ name: 'channels', result, rows: channels, rowId });
  const displayDate = useDisplayDate();
  const openPath = useOpenPath();
  const mayChange = useMayChangeAlerts();
  const columns = useMemo(() => channelColumns({ displayDate, channels: channels ?? [], mayChange }), [displayDate, channels, mayChange]);
  const create = mayChange ? (
    <Button component={AppLink} href={paths.channelCreate()} leftSection={<IconPlus size={16} aria-hidden />}>
      Create channel
    </Button>
  ) : null;
  return (
    <Page>
      <div className={classes['head']}>
        <p className="note">Where incidents and reports are announced outside the console.</p>
        {create}
      </div>
      <List
        list={list}
        noun="channels"
        columns={columns}
        filters={{}}
        pages="none"
        onOpen={({ id }) => openPath(paths.channelEdit(id))}
        empty={{ title: 'No channels yet', text: 'Without one, incidents are shown in the console only.', action: create }}
      />
    </Page>
  );
}

type Input = { displayDate: (text: string) => string; channels: readonly Channel[]; mayChange: boolean };

function channelColumns({ displayDate, channels, mayChange }: Input): ListColumn<Channel>[] {
  return [
    onColumn(),
    nameColumn((id) => paths.channelEdit(id)),
    { id: 'kind', cellName: 'Kind', width: 100, isMain: true, cell: ({ kind }) => channelKindNames[kind] },
    {
      id: 'target',
      cellName: 'Leads to',
      width: 240,
      minWidth: 140,
      grows: true,
      cell: ({ shown_target: target }) => <TitledText text={target} />,
    },
    {
      id: 'severity',
      cellName: 'From severity',
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
    {
      id: 'actions',
      cellName: 'Actions',
      width: 84,
      ...actionColumn,
      cell: (channel) => <Actions channel={channel} channels={channels} mayChange={mayChange} />,
    },
  ];
}

function Actions({ channel, channels, mayChange }: { channel: Channel; channels: readonly Channel[]; mayChange: boolean }) {
  const name = withMarks(channel.name);
  return (
    <>
      <RowAction icon={IconPencil} label={`${mayChange ? 'Edit' : 'Show'} ${name}`} href={paths.channelEdit(channel.id)} />
      {mayChange && (
        <RowAction icon={IconTrash} label={`Delete ${name}`} color="danger" onClick={() => void confirmDeletion(channel, channels)} />
      )}
    </>
  );
}

/** Asks before a channel is deleted, and which one takes its place in the rules that name it. */
async function confirmDeletion({ id, name, pending }: Channel, channels: readonly Channel[]): Promise<void> {
  const rules = await call(listChannelRules, { params: { id } }).then(
    ({ data }) => data,
    // The call has shown why.
    () => null,
  );
  if (rules === null) return;
  let replacement = 0;
  askToChange({
    title: 'Delete the channel?',
    lines: [
      `Channel "${name}" and the list of its messages`,
      ...(pending === 0 ? [] : [`Messages that wait are not sent: ${groupedNumber(pending)}.`]),
    ],
    ...(rules.length > 0 && {
      details: (
        <RulesOfChannel
          rules={rules}
          channels={channels.filter((channel) => channel.id !== id)}
          onChange={(chosenId) => {
            replacement = chosenId;
          }}
        />
      ),
    }),
    change: () => call(deleteChannel, { params: { id }, query: rules.length === 0 ? {} : { replacement } }),
    doneMessage: `Channel "${withMarks(name)}" deleted`,
    reload: refreshChannels,
  });
}

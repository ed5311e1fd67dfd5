import { Button } from '@mantine/core';
import { listInbox, type InboxEntry } from '@switchyard/contract/channels';
import { IconPaperclip } from '@tabler/icons-react';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { hasInbox } from '../../shared/demo-inbox.ts';
import { useStore } from '../../shared/external-store.ts';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { List } from '../../shared/listing/list.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { AppLink, useOpenPath } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { TitledText } from '../../shared/ui/text-cell.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './channels.module.css';

const rowId = ({ id }: InboxEntry): number => id;
/** Milliseconds after which the list is loaded again. */
const refreshEvery = 15_000;
/** Messages of one entry that are shown in full. */
const mostItems = 3;

/** Messages of the demo: what channels and scheduled reports would send. */
export function InboxPage() {
  const isDemo = useStore(hasInbox);
  const list = useList({
    name: 'inbox',
    schema: listInbox.query,
    rowId,
    load: (query, signal) => call(listInbox, { query, signal }),
    repeat: () => refreshEvery,
  });
  const displayDate = useDisplayDate();
  const openPath = useOpenPath();
  const columns = useMemo(() => inboxColumns(displayDate), [displayDate]);
  return (
    <Page>
      {isDemo && (
        <p className="note">
          <strong className={classes['demo']}>Demo</strong> Alerts and reports of the demo, sent nowhere else. Links for passwords and
          invitations are never shown here.
        </p>
      )}
      <List
        list={list}
        noun="messages"
        columns={columns}
        filters={{}}
        tools={<RefreshButton onRefresh={list.reload} />}
        onOpen={({ messages: [first] }) => first && openPath(first.path)}
        empty={
          isDemo
            ? {
                title: 'No messages yet',
                text: 'Messages arrive when an incident opens or a report is due. Send a test message from the channel to try it.',
                action: (
                  <Button component={AppLink} variant="default" href={paths.channels()}>
                    Open channels
                  </Button>
                ),
              }
            : { title: 'No inbox', text: 'Only the demo keeps messages here. This console sends them to its channels.' }
        }
      />
    </Page>
  );
}

function inboxColumns(displayDate: (text: string) => string): ListColumn<InboxEntry>[] {
  return [
    {
      id: 'sent',
      cellName: 'Sent',
      width: 150,
      isMain: true,
      cell: ({ sent_at: at }) => <span className="tabular">{displayDate(at)}</span>,
    },
    {
      id: 'message',
      cellName: 'Message',
      width: 520,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: (entry) => <Message entry={entry} />,
    },
    {
      id: 'to',
      cellName: 'To',
      tooltip: 'The channel, or the address of a mail',
      width: 190,
      minWidth: 120,
      cell: ({ to, channel }) => <TitledText text={to ?? channel.name} />,
    },
  ];
}

/** A message with its text, or several that were combined, each with its own. */
function Message({ entry: { title, messages, attachment } }: { entry: InboxEntry }) {
  const isAlone = messages.length === 1;
  const missing = messages.length - mostItems;
  return (
    <div className={classes['message']}>
      <strong>{isAlone ? <MessageLink message={messages[0]} /> : <VisibleText text={title} />}</strong>
      {messages.slice(0, mostItems).map((message) => (
        <div key={message.id} className={classes['lines']}>
          {!isAlone && <MessageLink message={message} />}
          <VisibleText text={message.lines.join('\n')} />
        </div>
      ))}
      {missing > 0 && <p className="note">And {groupedNumber(missing)} more</p>}
      {attachment !== null && (
        <p className="note">
          <IconPaperclip size={14} aria-hidden /> <VisibleText text={attachment.name} />,{' '}
          {groupedNumber(Math.ceil(attachment.bytes / 1000))} kB. The file is not kept.
        </p>
      )}
    </div>
  );
}

function MessageLink({ message }: { message: InboxEntry['messages'][number] | undefined }) {
  if (message === undefined) return null;
  return (
    <AppLink href={message.path} className="name-link">
      <VisibleText text={message.title} />
    </AppLink>
  );
}

import type { Account } from '@switchyard/contract/accounts';
import { emptyAccountTabs } from '@switchyard/contract/account-texts';
import { listBuyerStreams, type BuyerStream } from '@switchyard/contract/buyers';
import { useMemo } from 'react';
import { call } from '../../../shared/api/call.ts';
import { List } from '../../../shared/listing/list.tsx';
import { useList } from '../../../shared/listing/use-list.ts';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { streamsColumns } from './streams-columns.tsx';

const rowId = (stream: BuyerStream): string => stream.uid;

/** The streams of a buyer, newest first; a super buyer has all streams. */
export function StreamsTab({ account }: { account: Account }) {
  const displayDate = useDisplayDate();
  const list = useList({
    name: `buyer-streams-${account.id}`,
    schema: listBuyerStreams.query,
    rowId,
    load: (query, signal) => call(listBuyerStreams, { params: { userId: account.id }, query, signal }),
  });
  const columns = useMemo(() => streamsColumns(displayDate), [displayDate]);
  return (
    <List
      list={list}
      settingsName="buyer-streams"
      noun="streams"
      columns={columns}
      filters={{}}
      empty={{
        title: emptyAccountTabs.streams(account.name),
        text: 'Streams are created in the buyer panel and reported by the traffic servers.',
      }}
    />
  );
}

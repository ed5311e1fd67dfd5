import type { Account } from '@switchyard/contract/accounts';
import { emptyAccountTabs } from '@switchyard/contract/account-texts';
import { listBuyerStreams, type BuyerStream } from '@switchyard/contract/buyers';
import { useMemo } from 'react';
import { call } from '../../../shared/api/call.ts';
import { ListContent } from '../../../shared/listing/list-content.tsx';
import { useListTable } from '../../../shared/listing/use-list-table.ts';
import { useList } from '../../../shared/listing/use-list.ts';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { streamsColumns } from './streams-columns.tsx';

/** The streams of a buyer, newest first; of a super buyer all there are (BUY-023 to BUY-032, BUY-035). */
export function StreamsTab({ account }: { account: Account }) {
  const displayDate = useDisplayDate();
  const list = useList({
    name: `buyer-streams-${account.id}`,
    schema: listBuyerStreams.query,
    load: (query, signal) => call(listBuyerStreams, { params: { userId: account.id }, query, signal }),
  });
  const columns = useMemo(() => streamsColumns(displayDate), [displayDate]);
  const table = useListTable({ name: 'buyer-streams', columns, rows: list.rows, rowId: (stream: BuyerStream) => stream.uid });
  return (
    <ListContent
      list={list}
      table={table}
      noun="streams"
      filters={null}
      chips={[]}
      onRemoveChip={() => undefined}
      onClearChips={() => undefined}
      empty={{
        title: emptyAccountTabs.streams(account.name),
        text: 'Streams are made in the buyer panel and handed in by the traffic servers.',
      }}
    />
  );
}

import { asnsQuery, listAsnChanges, listAsns, type AsnRow } from '@switchyard/contract/asns';
import { asnAttribution } from '@switchyard/contract/data-sources';
import { useQuery } from '@tanstack/react-query';
import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { ColumnMenu } from '../../shared/listing/column-menu.tsx';
import { ListPage } from '../../shared/listing/list-page.tsx';
import { useFilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useListTable } from '../../shared/listing/use-list-table.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { asnChangesKey } from './asn-cache.ts';
import { asnsChips, AsnsFilters } from './asns-filters.tsx';
import { asnsColumns } from './asns-columns.tsx';
import classes from './asns.module.css';

const rowId = ({ code }: AsnRow): number => code;

/** Autonomous systems with what is banned of them (ASN-001 to ASN-017). */
export function AsnsPage() {
  const list = useList({ name: 'asns', schema: asnsQuery, load: (query, signal) => call(listAsns, { query, signal }) });
  const draft = useFilterDraft(list);
  const displayDate = useDisplayDate();
  const changes = useChanges(list.rows);
  const columns = useMemo(
    () => asnsColumns({ displayDate, changes: new Map(changes?.map((change) => [change.code, change])) }),
    [displayDate, changes],
  );
  const table = useListTable({ name: list.name, columns, rows: list.rows, rowId });
  const chips = asnsChips(list.query);
  return (
    <ListPage
      list={list}
      table={table}
      noun="autonomous systems"
      filters={<AsnsFilters draft={draft} activeCount={chips.length} columns={<ColumnMenu list={table} />} />}
      chips={chips}
      onRemoveChip={(chip) => list.change(chip.removal)}
      onClearChips={draft.clear}
      above={<Attribution />}
      empty={{ title: 'No autonomous systems', text: 'The packaged registry is loaded when the server starts for the first time.' }}
    />
  );
}

/** Who changed the rows in view last; the list does without while it is unknown. */
function useChanges(rows: readonly AsnRow[]) {
  const codes = rows.map(({ code }) => code).slice(0, 100);
  const { data } = useQuery({
    queryKey: [...asnChangesKey, codes],
    queryFn: ({ signal }) =>
      call(listAsnChanges, { query: { codes }, signal, isSilent: true, showsFailureItself: (status) => status !== 401 }),
    enabled: codes.length > 0,
  });
  return data?.data;
}

/** Where the registry comes from, as its licence asks. */
function Attribution() {
  const { text, licence, licenceUrl } = asnAttribution;
  return (
    <p className={classes['attribution']}>
      {text} (
      <Anchor href={licenceUrl} target="_blank" rel="noreferrer" inherit underline="always">
        {licence}
      </Anchor>
      )
    </p>
  );
}

import { asnFilterChoices, asnsQuery, listAsnChanges, listAsns, type AsnRow, type AsnsQuery } from '@switchyard/contract/asns';
import { asnAttribution } from '@switchyard/contract/data-sources';
import { useQuery } from '@tanstack/react-query';
import { Anchor, Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { call, inBackground } from '../../shared/api/call.ts';
import { CoveringDialog } from '../../shared/blocks/covering-dialog.tsx';
import { banItems } from '../../shared/blocks/ban-items.ts';
import { useBulkChanges } from '../../shared/bulk/use-bulk-changes.tsx';
import { ListPage } from '../../shared/listing/list.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { useSavedViews } from '../../shared/listing/views/use-saved-views.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { asnChangesKey } from '../../shared/blocks/ban-toggle.tsx';
import { asnsColumns } from './asns-columns.tsx';
import { searchFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filter, Filters } from '../../shared/listing/filter.ts';
import { Dropdown } from '../../shared/ui/pick-list.tsx';

const rowId = ({ code }: AsnRow): number => code;
const nameOf = ({ code }: AsnRow): string => `AS${code}`;

const banOptions = asnFilterChoices.map(({ label, value }) => ({ value, name: label }));
type Choice = (typeof banOptions)[number]['value'];

function choiceOf(isBanned: boolean | undefined): Choice {
  if (isBanned === undefined) return '';
  return isBanned ? '1' : '0';
}

function banFilter(label: string): Filter<boolean | undefined> {
  return {
    field: ({ value, onChange }) => (
      <Dropdown
        label={label}
        width={120}
        options={banOptions}
        value={choiceOf(value)}
        onChange={(choice = '') => onChange(choice === '' ? undefined : choice === '1')}
      />
    ),
    chips: (isBanned) => [{ name: label, value: banOptions.find(({ value }) => value === choiceOf(isBanned))?.name ?? '' }],
  };
}

const filters: Filters<AsnsQuery> = {
  search: searchFilter({ placeholder: 'IP, ASN, domain or name' }),
  isBanCreate: banFilter('Create'),
  isBanReceive: banFilter('Receive'),
};

/** Autonomous systems and their bans. */
export function AsnsPage() {
  const views = useSavedViews('asns', asnsQuery);
  const list = useList({ name: 'asns', schema: asnsQuery, rowId, views, load: (query, signal) => call(listAsns, { query, signal }) });
  const displayDate = useDisplayDate();
  const [isAsking, setAsking] = useState(false);
  const changes = useChanges(list.rows);
  const bulk = useBulkChanges({ list, filter: list.fingerprint, noun: 'autonomous systems', nameOf, items: banItems });
  const columns = useMemo(
    () => [...bulk.columns, ...asnsColumns({ displayDate, changes: new Map(changes?.map((change) => [change.code, change])) })],
    [bulk.columns, displayDate, changes],
  );
  return (
    <>
      <ListPage
        list={list}
        noun="autonomous systems"
        actions={
          <Button variant="default" leftSection={<IconSearch size={16} aria-hidden />} onClick={() => setAsking(true)}>
            Is it covered?
          </Button>
        }
        columns={columns}
        filters={filters}
        onSelect={bulk.onSelect}
        above={
          <>
            <Attribution />
            {bulk.bar}
          </>
        }
        empty={{ title: 'No autonomous systems', text: 'The packaged registry is loaded when the server starts for the first time.' }}
      />
      <CoveringDialog isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}

/** The last change of each row; undefined while unknown. */
function useChanges(rows: readonly AsnRow[]) {
  const codes = rows.map(({ code }) => code).slice(0, 100);
  const { data } = useQuery({
    queryKey: [...asnChangesKey, codes],
    queryFn: ({ signal }) => call(listAsnChanges, { query: { codes }, signal, ...inBackground }),
    enabled: codes.length > 0,
  });
  return data?.data;
}

/** The source of the registry, as its licence requires. */
function Attribution() {
  const { text, licence, licenceUrl } = asnAttribution;
  return (
    <p className="caption">
      {text} (
      <Anchor href={licenceUrl} target="_blank" rel="noreferrer" inherit underline="always">
        {licence}
      </Anchor>
      )
    </p>
  );
}

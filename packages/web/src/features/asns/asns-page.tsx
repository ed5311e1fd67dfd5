import {
  type AsnFigures,
  asnFilterChoices,
  asnTrafficPermissions,
  asnTrafficQuery,
  listAsnChanges,
  listAsns,
  listAsnTraffic,
  type AsnRow,
  type AsnTrafficQuery,
} from '@switchyard/contract/asns';
import type { Pagination } from '@switchyard/contract/envelope';
import { asnAttribution } from '@switchyard/contract/data-sources';
import { maximumQueryValues } from '@switchyard/contract/limits';
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
import { useHoldsAny } from '../../shared/session/use-session.ts';
import { asnsColumns, type ListedAsn } from './asns-columns.tsx';
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

const filters: Filters<AsnTrafficQuery> = {
  search: searchFilter({ placeholder: 'IP, ASN, domain or name' }),
  isBanCreate: banFilter('Create'),
  isBanReceive: banFilter('Receive'),
};

/** Autonomous systems and their bans. */
export function AsnsPage() {
  const views = useSavedViews('asns', asnTrafficQuery);
  const hasTraffic = useHoldsAny(...asnTrafficPermissions);
  const list = useList({
    name: 'asns',
    schema: asnTrafficQuery,
    rowId,
    views,
    load: (query, signal): Promise<{ data: ListedAsn[]; pagination: Pagination }> =>
      isByCode(query) || !hasTraffic ? call(listAsns, { query, signal }) : call(listAsnTraffic, { query, signal }),
  });
  const traffic = useTraffic(list.query, hasTraffic);
  const displayDate = useDisplayDate();
  const [isAsking, setAsking] = useState(false);
  const changes = useChanges(list.rows);
  const bulk = useBulkChanges({ list, filter: list.fingerprint, noun: 'autonomous systems', nameOf, items: banItems });
  const columns = useMemo(
    () => [
      ...bulk.columns,
      ...asnsColumns({
        displayDate,
        traffic: hasTraffic ? traffic : null,
        changes: changes === undefined ? null : new Map(changes.map((change) => [change.code, change])),
      }),
    ],
    [bulk.columns, displayDate, hasTraffic, traffic, changes],
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

/** The specified list is in this order, and does not wait for the events. */
function isByCode({ orderBy, orderDirection }: AsnTrafficQuery): boolean {
  return orderBy === 'code' && orderDirection === 'asc';
}

/** The traffic of the rows that came without; empty while unknown. */
function useTraffic(query: AsnTrafficQuery, hasTraffic: boolean): ReadonlyMap<number, AsnFigures> {
  const { data } = useQuery({
    queryKey: ['asn-traffic-page', query],
    queryFn: ({ signal }) => call(listAsnTraffic, { query, signal, ...inBackground }),
    enabled: hasTraffic && isByCode(query),
  });
  return useMemo(() => new Map(data?.data.flatMap(({ code, traffic }) => (traffic === null ? [] : [[code, traffic]]))), [data]);
}

/** The last change of each row; undefined while unknown. */
function useChanges(rows: readonly AsnRow[]) {
  const codes = rows.map(({ code }) => code);
  const most = maximumQueryValues;
  const { data } = useQuery({
    queryKey: [...asnChangesKey, codes],
    queryFn: async ({ signal }) => {
      // A page may have more rows than a call takes codes.
      const parts = Array.from({ length: Math.ceil(codes.length / most) }, (_, at) => codes.slice(at * most, (at + 1) * most));
      const answers = await Promise.all(parts.map((part) => call(listAsnChanges, { query: { codes: part }, signal, ...inBackground })));
      return answers.flatMap(({ data: changes }) => changes);
    },
    enabled: codes.length > 0,
  });
  return data;
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

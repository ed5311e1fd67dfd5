import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  blockedDays,
  bulkResults,
  getBlockedRequests,
  listBulkRows,
  type BulkResult,
  type BulkRow,
  type BulkRun,
} from '@switchyard/contract/bulk';
import { maximumLimit } from '@switchyard/contract/limits';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, inBackground } from '../api/call.ts';
import { groupedNumber } from '../ui/text-format.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import classes from './bulk-rows.module.css';

const resultNames: Record<BulkResult, string> = {
  changed: 'Changed',
  already: 'Already as chosen',
  denied: 'Not allowed',
  conflict: 'Changed meanwhile',
  failed: 'Failed',
};

const typingPause = 250;
/** Fewer rows are seen at a glance. */
const searchedRows = 10;

/** The rows of a run by result, those that need attention first. */
export function BulkRows({ run }: { run: BulkRun }) {
  const isCheck = run.started_at === null;
  const counts = isCheck ? run.check : run.result;
  const results = bulkResults.filter((result) => counts[result] > 0);
  const [chosen, setChosen] = useState<BulkResult | undefined>(undefined);
  const shown =
    results.find((result) => result === chosen) ?? results.find((result) => result !== 'changed' && result !== 'already') ?? results[0];
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), typingPause);
  const query = useQuery({
    queryKey: ['bulk-run', run.id, 'rows', isCheck, shown, run.state, search],
    queryFn: ({ signal }) =>
      call(listBulkRows, {
        params: { id: run.id },
        query: { page: 1, limit: maximumLimit, ...(isCheck ? { check: shown } : { result: shown }), ...(search !== '' && { search }) },
        signal,
        ...inBackground,
      }),
    placeholderData: keepPreviousData,
    enabled: shown !== undefined,
  });
  if (shown === undefined) return null;
  const rows = query.data?.data ?? [];
  const more = (query.data?.pagination.total ?? 0) - rows.length;
  return (
    <div>
      <NativeSelect
        label="Rows"
        value={shown}
        onChange={({ currentTarget }) => setChosen(results.find((result) => result === currentTarget.value))}
        data={results.map((result) => ({
          value: result,
          label: `${isCheck && result === 'changed' ? 'Will change' : resultNames[result]} (${groupedNumber(counts[result])})`,
        }))}
      />
      {counts[shown] > searchedRows && (
        <TextInput
          type="search"
          label="Search the rows"
          mt="xs"
          maxLength={255}
          autoComplete="off"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {query.isError && <Text role="alert">The rows could not be loaded.</Text>}
      <ul className={classes['rows']} aria-label="Results">
        {rows.map((row) => (
          <li key={row.key}>
            <VisibleText text={row.label === '' ? row.key : row.label} />
            <Message row={row} isCheck={isCheck} />
            {row.blocked !== null && (
              <Text c="dimmed" size="sm">
                {requestsText(row.blocked)} in the last {blockedDays} days
              </Text>
            )}
          </li>
        ))}
        {query.data?.data.length === 0 && <li>No rows match.</li>}
        {more > 0 && <li>…and {groupedNumber(more)} more</li>}
      </ul>
    </div>
  );
}

function Message({ row, isCheck }: { row: BulkRow; isCheck: boolean }) {
  const message = (isCheck ? row.check : row.result)?.message ?? null;
  return message === null ? null : <Text c="dimmed">{message}</Text>;
}

function requestsText(count: number): string {
  return `${groupedNumber(count)} ${count === 1 ? 'request' : 'requests'}`;
}

/** Says what a ban that is not made yet would have blocked. Nothing for readers who may not see requests. */
export function BlockedRequests({ runId }: { runId: number }) {
  const { data, isError } = useQuery({
    queryKey: ['bulk-run', runId, 'blocked'],
    queryFn: ({ signal }) => call(getBlockedRequests, { params: { id: runId }, signal, ...inBackground }),
  });
  if (isError) return <Text role="alert">What this would have blocked could not be counted.</Text>;
  if (data === undefined || data.data === null) return null;
  const { blocked, all, unknown } = data.data;
  const share = all === 0 ? 0 : (100 * blocked) / all;
  const percent = share > 0 && share < 1 ? 'less than 1' : String(Math.round(share));
  return (
    <Text fw={600}>
      In the last {blockedDays} days this would have blocked {groupedNumber(blocked)} of {requestsText(all)} ({percent} %).
      {unknown > 0 && ` The system of ${groupedNumber(unknown)} is not known.`}
    </Text>
  );
}

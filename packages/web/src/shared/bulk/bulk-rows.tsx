import { NativeSelect, Text } from '@mantine/core';
import { bulkResults, listBulkRows, type BulkResult, type BulkRow, type BulkRun } from '@switchyard/contract/bulk';
import { maximumLimit } from '@switchyard/contract/limits';
import { useQuery } from '@tanstack/react-query';
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

/** The rows of a run by result, those that need attention first. */
export function BulkRows({ run }: { run: BulkRun }) {
  const isCheck = run.started_at === null;
  const counts = isCheck ? run.check : run.result;
  const results = bulkResults.filter((result) => counts[result] > 0);
  const [chosen, setChosen] = useState<BulkResult | undefined>(undefined);
  const shown =
    results.find((result) => result === chosen) ?? results.find((result) => result !== 'changed' && result !== 'already') ?? results[0];
  const query = useQuery({
    queryKey: ['bulk-run', run.id, 'rows', isCheck, shown, run.state],
    queryFn: ({ signal }) =>
      call(listBulkRows, {
        params: { id: run.id },
        query: { page: 1, limit: maximumLimit, ...(isCheck ? { check: shown } : { result: shown }) },
        signal,
        ...inBackground,
      }),
    enabled: shown !== undefined,
  });
  if (shown === undefined) return null;
  const rows = query.data?.data ?? [];
  const more = counts[shown] - rows.length;
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
      {query.isError && <Text role="alert">The rows could not be loaded.</Text>}
      <ul className={classes['rows']} aria-label="Results">
        {rows.map((row) => (
          <li key={row.key}>
            <VisibleText text={row.label === '' ? row.key : row.label} />
            <Message row={row} isCheck={isCheck} />
          </li>
        ))}
        {query.data !== undefined && more > 0 && <li>…and {groupedNumber(more)} more</li>}
      </ul>
    </div>
  );
}

function Message({ row, isCheck }: { row: BulkRow; isCheck: boolean }) {
  const message = (isCheck ? row.check : row.result)?.message ?? null;
  return message === null ? null : <Text c="dimmed">{message}</Text>;
}

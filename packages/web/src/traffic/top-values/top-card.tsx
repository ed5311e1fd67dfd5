import { ActionIcon, Skeleton, UnstyledButton } from '@mantine/core';
import type { AllRequestFilters } from '@switchyard/contract/requests';
import type { TopField, TopValues } from '@switchyard/contract/top-values';
import { IconFilterOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { inBackground } from '../../shared/api/call.ts';
import { bans as asnBans } from '../../shared/blocks/ban-items.ts';
import type { BulkItem } from '../../shared/bulk/bulk-menu.tsx';
import { useBulkChanges } from '../../shared/bulk/use-bulk-changes.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import type { ValueKind } from '../value-actions.ts';
import { useValueFilters } from '../value-list.ts';
import type { TopCalls } from './top-calls.ts';
import { fieldViews } from './top-fields.tsx';
import classes from './top-values.module.css';
import { RetryButton } from '../../shared/ui/retry.tsx';

type Props = {
  field: TopField;
  listName: string;
  filters: AllRequestFilters;
  load: TopCalls[number]['load'];
};

const noValues: TopValues['values'] = [];
const noItems: readonly BulkItem[] = [];
const codeOf = (code: string): string => code;
const systemName = (code: string): string => `AS${code}`;

/** Boxes of the autonomous systems, which ban those that are ticked. Other fields have none. */
function useBans(field: TopField, values: TopValues['values'], filters: string) {
  const codes = field === 'asn' ? values.map(({ value }) => value).filter((value) => value !== '') : [];
  const { columns, button, bar } = useBulkChanges({
    list: { rows: codes, rowId: codeOf, fingerprint: filters, pagination: null },
    filter: null,
    noun: 'autonomous systems',
    nameOf: systemName,
    items: field === 'asn' ? asnBans : noItems,
    hint: 'Tick what to ban',
  });
  return { button: codes.length > 0 && button, bar, boxOf: (code: string) => (code === '' ? undefined : columns[0]?.cell(code)) };
}

/** The most frequent values of one field. It loads by itself, so that a slow field holds up no other. */
export function TopCard({ field, listName, filters, load }: Props) {
  const title = useId();
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [...listKey(listName), 'top', field, filters],
    queryFn: ({ signal }) => load({ query: filters, signal, ...inBackground }),
    placeholderData: keepPreviousData,
  });
  const topValues = data?.data;
  const bans = useBans(field, topValues?.values ?? noValues, JSON.stringify(filters));
  return (
    <section className={classes['card']} aria-labelledby={title} aria-busy={isFetching}>
      <div className={classes['head']}>
        <h2 id={title} className={classes['title']}>
          {fieldViews[field].title}
        </h2>
        {bans.button}
        {error === null && topValues?.counted === 'newest' && (
          <span className={classes['sample']}>of the newest {groupedNumber(topValues.rows)} rows</span>
        )}
      </div>
      {bans.bar}
      {error !== null ? (
        <output className={classes['message']}>
          Could not be counted: {error.message}
          <RetryButton isRunning={isFetching} onRetry={refetch} />
        </output>
      ) : topValues === undefined ? (
        <Skeleton height={120} aria-label="Counting" />
      ) : topValues.values.length === 0 ? (
        <p className={classes['message']}>{field === 'error' ? 'No request has an error.' : 'No requests match.'}</p>
      ) : (
        <ol className={classes['values']} data-old={isPlaceholderData || undefined}>
          {topValues.values.map((value) => (
            <ValueOf key={value.value} field={field} value={value} total={topValues.total} box={bans.boxOf(value.value)} />
          ))}
        </ol>
      )}
    </section>
  );
}

type ValueProps = {
  field: TopField;
  value: TopValues['values'][number];
  total: number;
  box: ReactNode;
  only?: () => void;
  not?: () => void;
};

/** A value with the filters that the list around it has for it. */
function ValueOf(props: ValueProps) {
  const { kind } = fieldViews[props.field];
  return kind === undefined ? <Value {...props} /> : <FilteringValue {...props} kind={kind} />;
}

function FilteringValue({ kind, ...props }: ValueProps & { kind: ValueKind }) {
  return <Value {...props} {...useValueFilters(kind, props.value.value)} />;
}

/** A value with its count and its share as a bar. A press leaves only its rows in the list; a second button leaves them out. */
function Value({ field, value, total, box, only, not }: ValueProps) {
  const view = fieldViews[field];
  const name = view.nameOf(value);
  const share = total === 0 ? 0 : value.count / total;
  const percent = shareText(share);
  const description = `${withMarks(name)}: ${groupedNumber(value.count)} requests, ${percent}`;
  const content: ReactNode = (
    <>
      {view.iconOf?.(value.value)}
      <span className={classes['name']}>
        <VisibleText text={name} />
      </span>
      <span className={classes['count']}>{groupedNumber(value.count)}</span>
      <span className={classes['share']}>{percent}</span>
    </>
  );
  return (
    <li className={classes['value']}>
      <span className={classes['bar']} style={{ width: `${Math.min(1, share) * 100}%` }} aria-hidden />
      {box !== undefined && <span className={classes['box']}>{box}</span>}
      {only === undefined ? (
        <span className={classes['text']} title={description}>
          {content}
        </span>
      ) : (
        <UnstyledButton className={classes['text'] ?? ''} title={description} aria-label={`Filter for ${description}`} onClick={only}>
          {content}
        </UnstyledButton>
      )}
      {not !== undefined && (
        <ActionIcon
          className={classes['without'] ?? ''}
          variant="subtle"
          color="neutral"
          size={24}
          aria-label={`Exclude ${withMarks(name)}`}
          title={`Exclude ${withMarks(name)}`}
          onClick={not}
        >
          <IconFilterOff size={14} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}

/** `12.3 %`; less than a thousandth is not zero. */
function shareText(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1 %';
  return `${(share * 100).toFixed(1)} %`;
}

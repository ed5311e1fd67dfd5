import { ActionIcon, Skeleton, UnstyledButton } from '@mantine/core';
import type { AllRequestFilters } from '@switchyard/contract/requests';
import type { TopField, TopValues } from '@switchyard/contract/top-values';
import { IconFilterOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { inBackground } from '../../shared/api/call.ts';
import { BanTicks, noBans } from '../../shared/blocks/ban-ticks.tsx';
import type { TickedBans } from '../../shared/blocks/tick-bans.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { useHoldsAny } from '../../shared/session/use-session.ts';
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

/** The most frequent values of one field. It loads by itself, so that a slow field holds up no other. */
export function TopCard({ field, listName, filters, load }: Props) {
  const result = useQuery({
    queryKey: [...listKey(listName), 'top', field, filters],
    queryFn: ({ signal }) => load({ query: filters, signal, ...inBackground }),
    placeholderData: keepPreviousData,
  });
  const mayBan = useHoldsAny('manager_settings_asns');
  const card = (bans: TickedBans) => <CardOf field={field} result={result} bans={bans} />;
  if (field !== 'asn' || !mayBan) return card(noBans);
  const codes = (result.data?.data.values ?? []).map(({ value }) => value);
  return (
    <BanTicks kind="asn" values={codes} fingerprint={JSON.stringify(filters)}>
      {card}
    </BanTicks>
  );
}

type CardProps = { field: TopField; result: UseQueryResult<{ data: TopValues }>; bans: TickedBans };

function CardOf({ field, result: { data, error, isFetching, isPlaceholderData, refetch }, bans }: CardProps) {
  const title = useId();
  const topValues = data?.data;
  return (
    <section className={classes['card']} aria-labelledby={title} aria-busy={isFetching}>
      <div className={classes['head']}>
        <h2 id={title} className={classes['title']}>
          {fieldViews[field].title}
        </h2>
        {topValues !== undefined && topValues.values.length > 0 && bans.button}
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
        <Skeleton component="output" display="block" height={120} aria-label="Counting" />
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

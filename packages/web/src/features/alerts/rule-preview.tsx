import { Skeleton } from '@mantine/core';
import { alertKinds, previewRule, type AlertKind, type CreateRuleBody, type RulePreview as Preview } from '@switchyard/contract/alerts';
import { viewAsMessages } from '@switchyard/contract/view-as';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useMemo, useState } from 'react';
import { amountText } from '../../shared/alerts/alert-words.ts';
import { call, inBackground } from '../../shared/api/call.ts';
import { CallError } from '../../shared/api/call-error.ts';
import { Chart } from '../../shared/charts/chart.tsx';
import type { ChartData } from '../../shared/charts/chart-data.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { timeSpans } from '../../shared/ui/display-limits.ts';
import { RetryNote } from '../../shared/ui/retry.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './incidents.module.css';
import { conditionOf, isConditionComplete } from './rule-model.ts';
import { valuesChart, type Stretch } from './values-chart.ts';
import { useReadOnly } from '../../shared/ui/read-only.tsx';

/** Chart of the rule's readings with these values, and of the times at which it would have fired. `ruleId`: the rule that is edited. */
export function RulePreview({ values, ruleId }: { values: CreateRuleBody; ruleId: number | null }) {
  const isReadOnly = useReadOnly() !== null;
  const condition = isConditionComplete(values) ? JSON.stringify(conditionOf(values)) : null;
  const pausedCondition = usePaused(condition);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['alert-preview', values.kind, pausedCondition],
    queryFn: ({ signal }) => call(previewRule, { body: { ...conditionOf(values), rule_id: ruleId }, signal, ...inBackground }),
    enabled: !isReadOnly && pausedCondition !== null && pausedCondition === condition,
    // Values of another kind would be shown in the wrong unit.
    placeholderData: (earlier, query) => (query?.queryKey[1] === values.kind ? earlier : undefined),
    gcTime: 0,
  });
  if (isReadOnly) return <p className="note">{viewAsMessages.notShown}</p>;
  if (condition === null) return <p className="note">Complete the condition to see a preview.</p>;
  if (error !== null) {
    const [problem] = error instanceof CallError ? Object.values(error.fields).flat() : [];
    // Without a change it would not be computed either.
    if (problem !== undefined) return <output className="note">{problem}</output>;
    return (
      <RetryNote isRunning={isFetching} onRetry={refetch}>
        The preview could not be computed. {error.message}
      </RetryNote>
    );
  }
  if (data === undefined)
    return <Skeleton component="output" display="block" height={228} radius="md" aria-label="Computing the preview" />;
  return (
    <div className={classes['preview']} aria-busy={isFetching}>
      <PreviewContent kind={values.kind} preview={data.data} />
    </div>
  );
}

/** The text once it has stayed the same for a moment. */
function usePaused(text: string | null): string | null {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), timeSpans.validationDebounce);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

function PreviewContent({ kind, preview }: { kind: AlertKind; preview: Preview }) {
  const displayDate = useDisplayDate();
  const chart = useMemo(() => previewChart(kind, preview, displayDate), [kind, preview, displayDate]);
  const { firings, firing_total: total, days, repeats } = preview;
  const rest = total - firings.length;
  return (
    <>
      {chart !== null && (
        <Chart data={chart} format={(value) => amountText(kind, value)}>
          The list below has the times at which the rule would have fired.
        </Chart>
      )}
      <output className="note">{summaryOf(kind, preview)}</output>
      {repeats.length > 0 && (
        <output className={classes['repeats']}>
          {'Same kind, apps and condition as '}
          {repeats.map(({ id, name }, index) => (
            <Fragment key={id}>
              {index > 0 && ', '}
              <AppLink href={paths.alertRuleEdit(id)}>
                <VisibleText text={name} />
              </AppLink>
            </Fragment>
          ))}
          . Each opens its own incidents, so everything is announced once per rule.
        </output>
      )}
      {firings.length > 0 && (
        <ul className={classes['stretches']} aria-label={days === 0 ? 'Would fire now' : 'Would have fired'}>
          {firings.map(({ subject, from, until }) => (
            <li key={`${subject} ${from}`}>
              <VisibleText text={subject} />
              {days > 0 && <span className="tabular">{`: ${displayDate(from)} to ${until === null ? 'now' : displayDate(until)}`}</span>}
            </li>
          ))}
        </ul>
      )}
      <Subjects kind={kind} preview={preview} />
      {rest > 0 && <p className="note">and {groupedNumber(rest)} more</p>}
    </>
  );
}

/** The present value of each app or server, with a link to its page. */
function Subjects({ kind, preview: { subjects, subject_total: total } }: { kind: AlertKind; preview: Preview }) {
  if (subjects.length === 0) return null;
  const isApp = alertKinds[kind].subject === 'app';
  const rest = total - subjects.length;
  return (
    <details>
      <summary>
        Present values: {groupedNumber(total)} {isApp ? 'app' : 'server'}
        {total === 1 ? '' : 's'}
      </summary>
      <ul className={classes['stretches']} aria-label="Present values">
        {subjects.map(({ id, name, value, fires }) => (
          <li key={id}>
            <AppLink href={isApp ? paths.appEdit(id, 'General') : paths.serverEdit(id)}>
              <VisibleText text={name} />
            </AppLink>
            {`: ${amountText(kind, value)}${fires ? ', fires' : ''}`}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="note">and {groupedNumber(rest)} more</p>}
    </details>
  );
}

/** Summary of a preview in one sentence. */
export function summaryOf(kind: AlertKind, { firing_total: total, days, points }: Preview): string {
  const times = total === 1 ? 'once' : `${groupedNumber(total)} times`;
  if (days > 0)
    return total === 0 ? `Would not have fired in the last ${days} days.` : `Would have fired ${times} in the last ${days} days.`;
  const value = points.at(-1)?.value ?? null;
  const now = value === null ? '' : ` The worst value now is ${amountText(kind, value)}.`;
  const { subject } = alertKinds[kind];
  const subjects = subject === 'console' ? '' : ` for ${groupedNumber(total)} ${subject}${total === 1 ? '' : 's'}`;
  return `Would ${total === 0 ? 'not fire now' : `fire now${subjects}`}.${now} No history is available.`;
}

/** The values of a preview as a chart; null where only the current state is known. */
export function previewChart(kind: AlertKind, preview: Preview, displayDate: (text: string) => string): ChartData | null {
  const { points, threshold, days, firings } = preview;
  if (days === 0 || points.length < 2) return null;
  // Dates of one form compare as texts.
  const stretches = firings.flatMap(({ from, until }): Stretch[] => {
    const first = points.findIndex(({ at }) => at >= from);
    const last = until === null ? points.length - 1 : points.findLastIndex(({ at }) => at <= until);
    return first === -1 || last < first ? [] : [[first, last]];
  });
  return valuesChart({ kind, threshold, points, stretches, displayDate, period: `the worst app in each hour of the last ${days} days` });
}

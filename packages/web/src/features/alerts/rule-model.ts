import {
  alertKinds,
  alertRule,
  createRule,
  getRule,
  measureOf,
  previewRule,
  ruleDefaults,
  ruleFields,
  updateRule,
  type AlertKind,
  type AlertRule,
  type CreateRuleBody,
  type Measure,
} from '@switchyard/contract/alerts';
import { defaultsOf } from '@switchyard/contract/entity';
import { requestFilterText, ruleFiltersInWords } from '@switchyard/contract/rule-filters';
import { comparisonNames, severityNames, thresholdText, windowName } from '../../shared/alerts/alert-words.ts';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { defineForm } from '../../shared/entities/entity-form.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { paths } from '../../shared/paths.ts';
import { incidentTabs } from './incident-tabs.ts';
import { allApps, cleanScope, isScopeComplete, scopeText } from './scope-fields.tsx';

/** The threshold with which the form of a kind begins; null for kinds without one. */
export function usualThreshold(kind: AlertKind): number | null {
  return alertKinds[kind].threshold?.usual ?? null;
}

/** The measure with which the form of a kind begins. */
export function usualMeasure(kind: AlertKind): Measure {
  return measureOf(kind, { window_minutes: null, minimum: null, comparison: null, request_filter: '' });
}

/** How a rule is edited. */
export const ruleForm = defineForm<AlertRule, CreateRuleBody>({
  noun: 'rule',
  list: { listTitle: 'Incidents', listPath: paths.incidents({ startTabName: incidentTabs.rules }) },
  schema: alertRule,
  fields: ruleFields,
  start: {
    name: '',
    kind: 'domain_expiry',
    ...defaultsOf(ruleDefaults),
    threshold: usualThreshold('domain_expiry'),
    ...usualMeasure('domain_expiry'),
  },
  valuesOf: (rule) => rule,
  required: ['name', 'channel_ids'],
  incomplete: (values) => [
    ...(isThresholdWithin(values) ? [] : ['threshold' as const]),
    ...(isScopeComplete(values.scope) ? [] : ['scope' as const]),
    ...(requestFilterText.safeParse(values.request_filter).success ? [] : ['request_filter' as const]),
  ],
  compared: () => ({
    threshold: { text: ({ kind, threshold }) => thresholdText(kind, threshold) ?? '-' },
    further_thresholds: { text: ({ further_thresholds: limits }) => limits.join(', ') || '-' },
    scope: { value: ({ scope }) => cleanScope(scope), text: ({ scope }) => scopeText(scope) },
    window_minutes: { text: ({ window_minutes: minutes }) => (minutes === null ? '-' : windowName(minutes)) },
    minimum: { text: ({ minimum }) => String(minimum ?? '-') },
    comparison: { text: ({ comparison }) => (comparison === null ? '-' : comparisonNames[comparison]) },
    request_filter: { text: ({ request_filter: filter }) => ruleFiltersInWords(filter) || 'All' },
    severity: { text: ({ severity }) => severityNames[severity] },
    channel_ids: { text: ({ channel_ids: ids }) => (ids === null ? 'All' : String(ids.length)) },
  }),
  calls: {
    read: (input) => call(getRule, input),
    create: ({ body }) => call(createRule, { body: toBody(body) }),
    update: ({ body, ...input }) => {
      const { kind: _kind, ...others } = toBody(body);
      return call(updateRule, { ...input, body: others });
    },
  },
  refresh: refreshRules,
});

type Condition = Pick<CreateRuleBody, 'kind' | 'threshold' | 'scope' | 'pending_minutes' | keyof Measure>;

/** The fields of a rule that decide when it fires. */
export function conditionOf(values: Condition): Condition {
  const { kind, threshold, scope, pending_minutes } = values;
  const { subject, threshold: range } = alertKinds[kind];
  const apps = subject === 'app' ? cleanScope(scope) : allApps;
  return { kind, threshold: range && threshold, scope: apps, pending_minutes, ...measureOf(kind, values) };
}

/** Whether a condition can be computed: its numbers are whole and within their ranges. */
export function isConditionComplete(values: Condition): boolean {
  return previewRule.body.safeParse(conditionOf(values)).success && isThresholdWithin(values) && isScopeComplete(values.scope);
}

function isThresholdWithin({ kind, threshold }: Pick<Condition, 'kind' | 'threshold'>): boolean {
  const { threshold: range } = alertKinds[kind];
  return range === null || (threshold !== null && threshold >= range.min && threshold <= range.max);
}

/** The further thresholds that apply: those below the threshold, of kinds that have any. */
export function furtherOf({ kind, threshold, further_thresholds: limits }: CreateRuleBody): number[] {
  return 'hasSteps' in alertKinds[kind] ? limits.filter((limit) => limit < (threshold ?? 0)) : [];
}

function toBody(values: CreateRuleBody): CreateRuleBody {
  return { ...values, ...conditionOf(values), further_thresholds: furtherOf(values), name: values.name.trim() };
}

/** Reloads the rules, and the incidents that follow from them. */
export async function refreshRules(): Promise<void> {
  await Promise.all(['alert-rules', 'incidents'].map((name) => queryClient.invalidateQueries({ queryKey: listKey(name) })));
}

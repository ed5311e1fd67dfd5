import {
  alertKinds,
  alertRule,
  createRule,
  getRule,
  previewRule,
  ruleFields,
  updateRule,
  type AlertKind,
  type AlertRule,
  type CreateRuleBody,
} from '@switchyard/contract/alerts';
import { severityNames, thresholdText } from '../../shared/alerts/alert-words.ts';
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

/** How a rule is edited. */
export const ruleForm = defineForm<AlertRule, CreateRuleBody>({
  noun: 'rule',
  list: { listTitle: 'Incidents', listPath: paths.incidents({ startTabName: incidentTabs.rules }) },
  schema: alertRule,
  fields: ruleFields,
  start: {
    name: '',
    kind: 'domain_expiry',
    threshold: usualThreshold('domain_expiry'),
    pending_minutes: 0,
    scope: allApps,
    severity: 'warning',
    is_on: true,
    channel_ids: null,
  },
  valuesOf: ({ name, kind, threshold, pending_minutes, scope, severity, is_on, channel_ids }) => {
    return { name, kind, threshold, pending_minutes, scope, severity, is_on, channel_ids };
  },
  required: ['name', 'channel_ids'],
  incomplete: (values) => [
    ...(isThresholdWithin(values) ? [] : ['threshold' as const]),
    ...(isScopeComplete(values.scope) ? [] : ['scope' as const]),
  ],
  compared: () => ({
    threshold: { text: ({ kind, threshold }) => thresholdText(kind, threshold) ?? '-' },
    scope: { value: ({ scope }) => cleanScope(scope), text: ({ scope }) => scopeText(scope) },
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

type Condition = Pick<CreateRuleBody, 'kind' | 'threshold' | 'scope' | 'pending_minutes'>;

/** The fields of a rule that decide when it fires. */
export function conditionOf({ kind, threshold, scope, pending_minutes }: Condition): Condition {
  const { subject, threshold: range } = alertKinds[kind];
  return { kind, threshold: range && threshold, scope: subject === 'app' ? cleanScope(scope) : allApps, pending_minutes };
}

/** Whether a condition can be computed: its numbers are whole and within their ranges. */
export function isConditionComplete(values: Condition): boolean {
  return previewRule.body.safeParse(conditionOf(values)).success && isThresholdWithin(values) && isScopeComplete(values.scope);
}

function isThresholdWithin({ kind, threshold }: Pick<Condition, 'kind' | 'threshold'>): boolean {
  const { threshold: range } = alertKinds[kind];
  return range === null || (threshold !== null && threshold >= range.min && threshold <= range.max);
}

function toBody(values: CreateRuleBody): CreateRuleBody {
  return { ...values, ...conditionOf(values), name: values.name.trim() };
}

/** Reloads the rules, and the incidents that follow from them. */
export async function refreshRules(): Promise<void> {
  await Promise.all(['alert-rules', 'incidents'].map((name) => queryClient.invalidateQueries({ queryKey: listKey(name) })));
}

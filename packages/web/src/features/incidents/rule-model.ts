import {
  alertKinds,
  alertRule,
  createRule,
  getRule,
  updateRule,
  type AlertKind,
  type AlertRule,
  type AlertScope,
  type AlertSeverity,
  type CreateRuleBody,
} from '@switchyard/contract/alerts';
import { severityNames, thresholdText } from '../../shared/alerts/alert-words.ts';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { mergeFields, type ComparedField } from '../../shared/form/conflict.ts';
import type { EntityQuery } from '../../shared/form/entity-page.tsx';
import type { SimpleModel } from '../../shared/form/use-draft.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { allApps, cleanScope, isScopeComplete, scopeText } from './scope-fields.tsx';

/** The form of a rule; numbers are texts while they are typed. */
export type RuleValues = {
  readonly name: string;
  readonly kind: AlertKind;
  readonly threshold: string;
  readonly scope: AlertScope;
  readonly pending: string;
  readonly severity: AlertSeverity;
  readonly isOn: boolean;
  /** Null: all channels. */
  readonly channelIds: readonly number[] | null;
};

/** The threshold with which the form of a kind begins; empty for kinds without one. */
export function usualThreshold(kind: AlertKind): string {
  return String(alertKinds[kind].threshold?.usual ?? '');
}

/** The form of a rule, or that of a new one. */
function valuesOf(rule: AlertRule | undefined): RuleValues {
  if (rule === undefined) {
    const kind: AlertKind = 'domain_expiry';
    return {
      name: '',
      kind,
      threshold: usualThreshold(kind),
      scope: allApps,
      pending: '0',
      severity: 'warning',
      isOn: true,
      channelIds: null,
    };
  }
  const { name, kind, threshold, scope, pending_minutes: pending, severity, is_on: isOn, channel_ids: channelIds } = rule;
  return { name, kind, threshold: String(threshold ?? ''), scope, pending: String(pending), severity, isOn, channelIds };
}

const onText = (isOn: boolean): string => (isOn ? 'On' : 'Off');
const channelsText = (ids: RuleValues['channelIds']): string => (ids === null ? 'All' : String(ids.length));

const fields: readonly ComparedField<RuleValues>[] = [
  { label: 'Name', value: ({ name }) => name.trim() },
  { label: 'Kind', value: ({ kind }) => kind },
  { label: 'Threshold', value: ({ threshold }) => threshold, text: ({ kind, threshold }) => thresholdText(kind, Number(threshold)) ?? '-' },
  { label: 'Pending', value: ({ pending }) => pending },
  { label: 'Apps', value: ({ scope }) => cleanScope(scope), text: ({ scope }) => scopeText(scope) },
  { label: 'Severity', value: ({ severity }) => severity, text: ({ severity }) => severityNames[severity] },
  { label: 'Switched on', value: ({ isOn }) => isOn, text: ({ isOn }) => onText(isOn) },
  { label: 'Channels', value: ({ channelIds }) => channelIds, text: ({ channelIds }) => channelsText(channelIds) },
];

const fieldOfKey: ReadonlyMap<string, keyof RuleValues> = new Map<string, keyof RuleValues>([
  ['name', 'name'],
  ['kind', 'kind'],
  ['threshold', 'threshold'],
  ['scope', 'scope'],
  ['pending_minutes', 'pending'],
  ['severity', 'severity'],
  ['channel_ids', 'channelIds'],
]);

/** How a rule is edited. */
export const ruleModel: SimpleModel<AlertRule, RuleValues> = {
  noun: 'rule',
  schema: alertRule,
  valuesOf,
  fieldsOf: () => fields,
  merge: mergeFields,
  missingOf: ({ name, kind, threshold, pending, scope, channelIds }) => [
    ...(name.trim() === '' ? ['Name'] : []),
    ...(alertKinds[kind].threshold !== null && threshold.trim() === '' ? ['Threshold'] : []),
    ...(pending.trim() === '' ? ['Pending'] : []),
    ...(isScopeComplete(scope) ? [] : ['Apps']),
    ...(channelIds?.length === 0 ? ['Channels'] : []),
  ],
  fieldOf: (key) => fieldOfKey.get(key) ?? fieldOfKey.get(key.split('.')[0] ?? ''),
};

/** The fields of a rule that decide when it fires. */
export function conditionOf({ kind, threshold, scope, pending }: Pick<RuleValues, 'kind' | 'threshold' | 'scope' | 'pending'>) {
  const isAboutApps = alertKinds[kind].subject === 'app';
  return {
    kind,
    threshold: alertKinds[kind].threshold === null ? null : Number(threshold),
    scope: isAboutApps ? cleanScope(scope) : allApps,
    pending_minutes: Number(pending),
  };
}

/** Whether a condition can be computed: its numbers are whole and within their ranges. */
export function isConditionComplete(values: Pick<RuleValues, 'kind' | 'threshold' | 'scope' | 'pending'>): boolean {
  const { threshold, pending_minutes: pending, scope } = conditionOf(values);
  const range = alertKinds[values.kind].threshold;
  const isWithin = range === null || (threshold !== null && values.threshold.trim() !== '' && isWhole(threshold, range));
  return isWithin && values.pending.trim() !== '' && isWhole(pending, pendingRange) && isScopeComplete(scope);
}

export const pendingRange = { min: 0, max: 1_440 } as const;

function isWhole(value: number, { min, max }: { min: number; max: number }): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

/** The body of a save. */
function toBody(values: RuleValues): CreateRuleBody {
  const { name, severity, isOn, channelIds } = values;
  return { name: name.trim(), ...conditionOf(values), severity, is_on: isOn, channel_ids: channelIds === null ? null : [...channelIds] };
}

/** Saves a rule over the version that was loaded, or creates it. */
export async function storeRule(values: RuleValues, base: AlertRule | undefined): Promise<AlertRule> {
  const { kind, ...others } = toBody(values);
  if (base === undefined) return (await call(createRule, { body: { ...others, kind } })).data;
  const { data } = await call(updateRule, {
    params: { id: base.id },
    body: others,
    ifMatch: base.version,
    showsFailureItself: (status) => status === 412,
  });
  return data;
}

/** Loads a rule; never from the cache, because a form starts with it. */
export function ruleQuery(id: number): EntityQuery<AlertRule> {
  return {
    queryKey: ['alert-rule', id],
    queryFn: async ({ signal }) => (await call(getRule, { params: { id }, signal })).data,
    gcTime: 0,
    staleTime: Infinity,
  };
}

/** Replaces the cached rule. */
export function cacheRule(rule: AlertRule): void {
  queryClient.setQueryData<AlertRule>(ruleQuery(rule.id).queryKey, rule);
}

/** Reloads the rules, and the incidents that follow from them. */
export async function refreshRules(): Promise<void> {
  await Promise.all(['alert-rules', 'incidents'].map((name) => queryClient.invalidateQueries({ queryKey: listKey(name) })));
}

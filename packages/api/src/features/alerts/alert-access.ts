import {
  alertKinds,
  alertMessages,
  measureOf,
  visibleKinds,
  type AlertKind,
  type AlertScope,
  type KindRule,
  type Measure,
} from '@switchyard/contract/alerts';
import { readRuleFilters, ruleFilterNames } from '@switchyard/contract/rule-filters';
import { day, hour } from '@switchyard/traffic-store/time-buckets';
import { FieldErrors, forbidden } from '../../errors.ts';
import type { AccountCaller } from '../../http/bind.ts';
import { comparedDistance } from './read-kinds.ts';

/** The kinds of rules and incidents, and the apps, that a caller may see. */
export function readerOf({ account, scope }: AccountCaller): { kinds: AlertKind[]; scope: AccountCaller['scope'] } {
  return { kinds: visibleKinds(account.permissions), scope };
}

/** Throws 403 unless the caller sees all apps, about which channels are informed, and every one of these kinds. */
export function requireChange(caller: AccountCaller, kinds: readonly AlertKind[]): void {
  if (caller.scope !== 'all') throw forbidden(alertMessages.allApps);
  const own = new Set(visibleKinds(caller.account.permissions));
  if (!kinds.every((kind) => own.has(kind))) throw forbidden();
}

/**
 * A scope with what it names alone. Throws 422 if it names nothing, or if these kinds are not about apps.
 */
export function validScope(scope: AlertScope, kinds: readonly AlertKind[]): AlertScope {
  const { apps } = scope;
  if (apps === 'all') return { apps, verticals: [], app_ids: [] };
  if (!kinds.some((kind) => alertKinds[kind].subject === 'app')) throw new FieldErrors({ scope: [alertMessages.scopeOfKind] });
  const verticals = apps === 'verticals' ? [...new Set(scope.verticals)] : [];
  const appIds = apps === 'chosen' ? [...new Set(scope.app_ids)].toSorted((a, b) => a - b) : [];
  if (verticals.length + appIds.length === 0) throw new FieldErrors({ scope: [alertMessages.apps] });
  return { apps, verticals, app_ids: appIds };
}

/** The threshold of a rule. Throws 422 if it is outside the range of the kind. */
export function validThreshold(kind: AlertKind, threshold: number | null): number | null {
  const { threshold: range } = alertKinds[kind];
  if (range === null) return null;
  const value = threshold ?? range.usual;
  if (value < range.min || value > range.max) throw new FieldErrors({ threshold: [alertMessages.threshold] });
  return value;
}

/** The further thresholds of a rule, the highest first; none for kinds without. Throws 422 if they do not lie below its own. */
export function validFurther(kind: AlertKind, { threshold, further }: { threshold: number | null; further: readonly number[] }): number[] {
  const { threshold: range, hasSteps }: KindRule = alertKinds[kind];
  if (hasSteps !== true || range === null || threshold === null) return [];
  if (further.some((limit) => limit < range.min || limit >= threshold))
    throw new FieldErrors({ further_thresholds: [alertMessages.furtherThresholds] });
  return [...new Set(further)].toSorted((a, b) => b - a);
}

/** The measure of a rule. Throws 422 for a window that is too short for the kind, and a filter that it does not have. */
export function validMeasure(kind: AlertKind, measure: Measure): Measure {
  const valid = measureOf(kind, measure);
  const { window, filters = [] }: KindRule = alertKinds[kind];
  if (window !== undefined && (valid.window_minutes ?? 0) < window.min) throw new FieldErrors({ window_minutes: [alertMessages.window] });
  const asked = readRuleFilters(measure.request_filter);
  if (ruleFilterNames.some((name) => asked[name] !== undefined && !filters.includes(name)))
    throw new FieldErrors({ request_filter: [alertMessages.filter] });
  return valid;
}

/** Throws 422 if retention drops rows before a rule has compared them. */
export function requireRetention(kind: AlertKind, rule: Measure & { threshold: number | null }, retentionDays: number): void {
  const needed = comparedDays(kind, rule);
  if (needed > retentionDays) throw new FieldErrors({ comparison: [alertMessages.retention(needed, retentionDays)] });
}

/** Days that a rule looks back, in whole hours up to one ago or to the beginning of the day before; 0: it compares nothing. */
function comparedDays(kind: AlertKind, { comparison, window_minutes: minutes, threshold }: Measure & { threshold: number | null }): number {
  if (comparison === null) return 0;
  if (kind === 'payout_drop') return 2 + comparedDistance(comparison, day) / day;
  const length = (minutes ?? (threshold ?? 1) * 60) * (hour / 60);
  return Math.ceil((hour + length + comparedDistance(comparison, length)) / day);
}

/** Whether an app lies in a scope. */
export function createIsInScope(scope: AlertScope): (app: { id: number; vertical: string }) => boolean {
  if (scope.apps === 'all') return () => true;
  const ids = new Set(scope.app_ids);
  const verticals = new Set<string>(scope.verticals);
  return ({ id, vertical }) => ids.has(id) || verticals.has(vertical);
}

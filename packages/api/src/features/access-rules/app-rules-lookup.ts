import { grantMessages } from '@switchyard/contract/account-rules';
import type { Panel } from '@switchyard/contract/permissions';
import type { AppScope } from '../../traffic-store/traffic-store.ts';
import type { Denial } from './denial-lookup.ts';

/** What a call asks of an account's apps: a full set, apps more or apps fewer; null: nothing. */
export type AppsCall = { kind: 'set' | 'add' | 'remove'; ids: readonly number[] } | null;

/** Whether somebody with this scope sees all of these apps. */
export function coversApps(scope: AppScope, apps: AppScope): boolean {
  if (scope === 'all') return true;
  const seen = new Set(scope);
  return apps !== 'all' && apps.every((id) => seen.has(id));
}

/** Refuses apps that the caller himself does not have; an empty full set names all apps, of staff (api 0.11). */
export function namedAppsDenial({ scope, panel, call }: { scope: AppScope; panel: Panel; call: AppsCall }): Denial | null {
  if (call === null || scope === 'all') return null;
  if (namesAllApps(panel, call)) return { status: 403, message: grantMessages.allApps };
  return coversApps(scope, call.ids) ? null : { status: 403, message: grantMessages.apps };
}

/**
 * The apps of an account after a call, ascending (api 0.11, O3). Only an empty full set of staff widens to all apps;
 * a new staff account inherits its creator's; a buyer keeps the apps that the caller cannot see.
 * @param before null for a new account
 */
export function appsAfter({
  scope,
  panel,
  before,
  call,
}: {
  scope: AppScope;
  panel: Panel;
  before: AppScope | null;
  call: AppsCall;
}): AppScope {
  if (call === null) return before ?? (panel === 'user' ? scope : []);
  if (namesAllApps(panel, call)) return 'all';
  // Somebody with all apps gets just those that are added; taking single ones from him is refused before.
  const held = before === 'all' || before === null ? [] : before;
  if (call.kind === 'add') return ascending([...held, ...call.ids]);
  if (call.kind === 'remove') return without(held, call.ids);
  const hidden = panel === 'buyer' && scope !== 'all' ? without(held, scope) : [];
  return ascending([...call.ids, ...hidden]);
}

/** Ids of one list that the other has not; a call may name ten thousand. */
export function without(ids: readonly number[], others: readonly number[]): number[] {
  const left = new Set(others);
  return ids.filter((id) => !left.has(id));
}

function namesAllApps(panel: Panel, call: { kind: string; ids: readonly number[] }): boolean {
  return panel === 'user' && call.kind === 'set' && call.ids.length === 0;
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

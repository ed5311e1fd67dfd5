import type { BulkActionName, BulkCounts, BulkEntityName, BulkRun } from '@switchyard/contract/bulk';
import { groupedNumber } from '../ui/text-format.ts';

/** Names of the actions. */
export const actionNames: Readonly<Record<BulkActionName, string>> = {
  'app.archive': 'Archive apps',
  'app.restore': 'Restore apps',
  'app.set': 'Set fields of apps',
  'app.link': 'Link apps to a server',
  'app.unlink': 'Unlink apps from a server',
  'app.add_buyers': 'Add buyers to apps',
  'app.remove_buyers': 'Remove buyers from apps',
  'app.add_staff': 'Add staff to apps',
  'app.remove_staff': 'Remove staff from apps',
  'asn.ban': 'Ban or free autonomous systems',
  'black_ip.add': 'Black-list addresses',
  'black_ip.delete': 'Remove addresses from the black list',
  'account.set_access': 'Switch access',
  'account.add_roles': 'Add roles to accounts',
  'account.remove_roles': 'Remove roles from accounts',
  'account.add_apps': 'Add apps to accounts',
  'account.remove_apps': 'Remove apps from accounts',
  'account.end_sessions': 'End sessions of accounts',
};

/** The name of a run. */
export function runName({ change }: Pick<BulkRun, 'change'>): string {
  const names: Readonly<Record<string, string>> = actionNames;
  return change === null ? 'Undo a change' : (names[change.action] ?? change.action);
}

/** The state of a run in words. */
export const stateNames: Readonly<Record<BulkRun['state'], string>> = {
  checking: 'being checked',
  ready: 'checked, not started',
  running: 'under way',
  done: 'done',
  cancelled: 'cancelled',
  stopped: 'stopped',
};

type EntityNouns = { one: string; many: string };

/** Nouns of the rows of each entity. */
const entityNouns: Readonly<Record<BulkEntityName, EntityNouns>> = {
  app: { one: 'app', many: 'apps' },
  asn: { one: 'autonomous system', many: 'autonomous systems' },
  black_ip: { one: 'address', many: 'addresses' },
  account: { one: 'account', many: 'accounts' },
};

/** A number of rows with the noun of their entity, e.g. `1 app`. */
export function countText(entity: BulkEntityName, count: number): string {
  const { one, many } = entityNouns[entity];
  return `${groupedNumber(count)} ${count === 1 ? one : many}`;
}

/** Whether a run is being checked or made. */
export function isUnderWay({ state }: Pick<BulkRun, 'state'>): boolean {
  return state === 'checking' || state === 'running';
}

/** Number of rows that have a result. */
export function sumOf(counts: BulkCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** One line for each result that occurs: what a check expects or a run did. */
export function resultTexts(counts: BulkCounts, entity: BulkEntityName, isCheck: boolean): string[] {
  const texts: [number, string][] = [
    [counts.changed, isCheck ? 'will change' : 'changed'],
    [counts.already, 'already as chosen'],
    [counts.denied, 'not allowed'],
    [counts.conflict, 'skipped, because they changed meanwhile'],
    [counts.failed, 'failed'],
  ];
  return texts.flatMap(([count, text], index) => (count > 0 || index === 0 ? [`${countText(entity, count)}: ${text}`] : []));
}

import { bulkChange, type BulkActionName, type BulkCounts, type BulkEntityName, type BulkRun } from '@switchyard/contract/bulk';
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

/** A change in words. The rows follow `lead` on the button: `Archive 7 apps`. */
type Act = { lead: string; /** Takes something away from users, buyers or traffic. */ isDangerous?: true; consequence?: string };

const acts: Readonly<Record<Exclude<BulkActionName, 'asn.ban' | 'account.set_access'>, Act>> = {
  'app.archive': {
    lead: 'Archive',
    isDangerous: true,
    consequence:
      'Traffic servers stop serving these apps, and their domains no longer answer apps. Buyers, links and data are kept, and a restore brings all back.',
  },
  'app.restore': { lead: 'Restore', consequence: 'Traffic servers that are linked to these apps serve them again.' },
  'app.set': { lead: 'Set fields of', consequence: 'Traffic servers get the new settings at once.' },
  'app.link': {
    lead: 'Link',
    consequence: "Each app's domain is added to the server, bound, and gets a certificate. Failed steps are shown on the app.",
  },
  'app.unlink': {
    lead: 'Unlink',
    isDangerous: true,
    consequence: 'The server stops serving these apps, and their domains are removed from it.',
  },
  'app.add_buyers': { lead: 'Add buyers to', consequence: 'These buyers see the apps at once.' },
  'app.remove_buyers': { lead: 'Remove buyers from', isDangerous: true, consequence: 'These buyers no longer see the apps. Streams stay.' },
  'app.add_staff': { lead: 'Add staff to', consequence: 'These accounts see the apps and their traffic at once.' },
  'app.remove_staff': {
    lead: 'Remove staff from',
    isDangerous: true,
    consequence: 'These accounts no longer see the apps and their traffic.',
  },
  'black_ip.add': { lead: 'Black-list', isDangerous: true, consequence: 'Traffic servers block requests from these addresses at once.' },
  'black_ip.delete': { lead: 'Remove', isDangerous: true, consequence: 'Traffic servers let requests from these addresses in again.' },
  'account.add_roles': { lead: 'Add roles to', consequence: 'The permissions of these roles take effect at once.' },
  'account.remove_roles': {
    lead: 'Remove roles from',
    isDangerous: true,
    consequence: 'Permissions that no other role gives end at once.',
  },
  'account.add_apps': { lead: 'Add apps to', consequence: 'These accounts see the apps and their traffic at once.' },
  'account.remove_apps': {
    lead: 'Remove apps from',
    isDangerous: true,
    consequence: 'These accounts no longer see the apps and their traffic.',
  },
  'account.end_sessions': {
    lead: 'End sessions of',
    isDangerous: true,
    consequence: 'This cannot be undone. The session that you work in does not end.',
  },
};

/** The change of a run in words; null for an undo, which gives each row its own change. */
export function actOf(change: BulkRun['change']): Act | null {
  const known = bulkChange.safeParse(change).data;
  if (known === undefined) return null;
  if (known.action === 'asn.ban') {
    const isBan = known.params.isBanCreate === true || known.params.isBanReceive === true;
    return isBan
      ? { lead: 'Ban', isDangerous: true, consequence: 'Traffic servers block requests from these systems at once.' }
      : { lead: 'Free', consequence: 'Traffic servers let requests from these systems in again.' };
  }
  if (known.action === 'account.set_access') {
    return known.params.hasAccess
      ? { lead: 'Grant access to' }
      : {
          lead: 'Deny access to',
          isDangerous: true,
          consequence: `All sessions of these accounts end at once, their schedules pause, and their service accounts and API tokens stop. ${known.params.handOverTo === undefined ? 'Shared views, tiles and alert rules stay.' : 'Their shared views, tiles, service accounts and alert rules go to the new owner.'} An undo grants access again, but brings back neither the sessions nor what was handed over.`,
        };
  }
  return acts[known.action];
}

/** The name of a run with its rows: `Archive 7 apps`. */
export function runName({ change, entity, total, undo_of: undoOf }: Pick<BulkRun, 'change' | 'entity' | 'total' | 'undo_of'>): string {
  const lead = undoOf === null ? actOf(change)?.lead : 'Undo a change of';
  return `${lead ?? 'Change'} ${countText(entity, total)}`;
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

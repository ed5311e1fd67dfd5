import type { MarkEntry } from '@switchyard/contract/marks';
import type { SessionUser } from '@switchyard/contract/session';
import { paths } from '../paths.ts';
import { stringifySearch } from '../search-codec.ts';
import { groupedNumber } from '../ui/text-format.ts';

const verbs: ReadonlyMap<string, string> = new Map([
  ['create', 'created'],
  ['update', 'changed'],
  ['archive', 'archived'],
  ['restore', 'restored'],
  ['link', 'linked to a server'],
  ['restart', 'link restarted'],
  ['unlink', 'unlinked from a server'],
  ['upload', 'push file uploaded'],
  ['delete', 'deleted'],
  ['import', 'imported'],
  ['merge', 'merged'],
]);

const nouns: Readonly<Record<Exclude<MarkEntry['kind'], 'note'>, string>> = {
  app: 'App',
  server: 'Server',
  rule: 'Alert rule',
  ban: 'Ban',
  bulk: 'Bulk change',
  incident: 'Incident',
  start: 'Console',
};

const shownFields = 4;

/** What happened, in one line: `App Lucky changed: Proxy cache`, `Incident Error share began`. */
export function entryText({ kind, what, name, app, server, fields }: MarkEntry): string {
  if (kind === 'note') return name ?? '';
  if (kind === 'start') return `Console started${name === null ? '' : ` (version ${name})`}`;
  if (kind === 'incident') {
    const subject = app ?? server;
    return `Incident ${name ?? ''}${subject === null ? '' : ` of ${subject.name}`} ${what === 'begin' ? 'began' : 'ended'}`;
  }
  if (kind === 'bulk') return `Bulk change started: ${(name ?? '').replaceAll(/[._]/g, ' ')}`;
  const labels = what === 'update' ? fields : [];
  const rest = labels.length - shownFields;
  const shown = labels.slice(0, shownFields).join(', ');
  return `${nouns[kind]} ${name ?? app?.name ?? ''} ${verbs.get(what) ?? what}${shown === '' ? '' : `: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`}`;
}

/** `1 mark`, `1,024 marks`. */
export function markCount(count: number): string {
  return count === 1 ? '1 mark' : `${groupedNumber(count)} marks`;
}

/** Revisions, which the history of the entity lists. */
const revisions: ReadonlySet<string> = new Set(['create', 'update', 'archive', 'restore']);

type Reader = { day: string; user: SessionUser | null };

/**
 * The page that an entry leads to: its incident, the history on its day, one's own bulk change, otherwise its entry in Activity. Null for
 * notes, and where the reader may open none.
 */
export function entryPath({ kind, what, id, name, by, app, server, run }: MarkEntry, { day, user }: Reader): string | null {
  const permissions = user?.permissions ?? [];
  const onDay = stringifySearch({ startDate: day, endDate: day });
  if (kind === 'note') return null;
  if (kind === 'incident') return paths.incident(id);
  if (kind === 'app' && app !== null && revisions.has(what) && permissions.includes('manager_app_edit'))
    return `${paths.appHistory(app.id)}${onDay}`;
  if (kind === 'server' && server !== null && revisions.has(what) && permissions.includes('manager_settings_server'))
    return `${paths.serverHistory(server.id)}${onDay}`;
  if (kind === 'bulk' && run !== null && by?.id === user?.id && name?.startsWith('app.') === true) return paths.bulkRunOfApps(run);
  if (permissions.includes('manager_user_activity')) return paths.activityNear(id);
  return kind === 'app' && app !== null ? paths.appEdit(app.id, 'General') : null;
}

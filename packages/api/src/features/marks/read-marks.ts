import { visibleKinds } from '@switchyard/contract/alerts';
import { isEmptyScope, withinScope } from '@switchyard/contract/app-scope';
import { formatDateTime, fromDate } from '@switchyard/contract/dates';
import {
  markKinds,
  markLimits,
  notePermissions,
  type listMarks,
  type Mark,
  type MarkEntry,
  type MarkKind,
} from '@switchyard/contract/marks';
import { holdsAny, type Permission } from '@switchyard/contract/permissions';
import { day } from '@switchyard/traffic-store/time-buckets';
import type { Databases } from '../../database/connect.ts';
import { type MarkGroup, markSpan } from '../../database/group-marks.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import { readTimeRange } from '../../traffic-queries/read-time-range.ts';
import { listIncidentMarks, listMarkedIncidents, listRulesOf } from '../alerts/incident-marks-lookup.ts';
import { listAuditMarks, listMarkedEntries } from '../audit/audit-marks-lookup.ts';
import { mayDelete, noteReader } from './note-commands.ts';
import { listNoteMarks, listMarkedNotes, listServersOf } from './notes-store.ts';

export type MarkDependencies = { db: Databases['db']; now: () => Date; serverOffset: string };

const usualDays = 30;

/** Any of these shows marks of a kind: that of the history or the list, or Activity. Each kind of incident has its own. */
const neededPermissions: Readonly<Record<MarkKind, readonly Permission[]>> = {
  app: ['manager_app_edit', 'manager_user_activity'],
  server: ['manager_settings_server', 'manager_user_activity'],
  ban: ['manager_settings_asns', 'manager_user_activity'],
  rule: ['manager_user_activity'],
  bulk: ['manager_user_activity'],
  start: ['manager_user_activity'],
  incident: [],
  note: notePermissions,
};

/**
 * Reads the marks of a range of time that a caller may see, newest first. Without apps and servers those of everything; with them those that
 * concern them, and those of bans, notes and starts that concern all traffic.
 */
export async function readMarks(
  { db, now, serverOffset }: MarkDependencies,
  { query, caller }: Pick<Call<typeof listMarks>, 'query' | 'caller'>,
): Promise<Mark[]> {
  const range = readTimeRange(query, serverOffset);
  const until = range.until ?? fromDate(now());
  const span = markSpan({ from: range.from ?? until - usualDays * day, until }, serverOffset);
  const { permissions } = caller.account;
  const kinds = new Set(markKinds.filter((kind) => holdsAny(permissions, neededPermissions[kind])));
  const which = await chartOf({ db }, { query, caller, kinds });
  const isWhole = which === 'all';
  // Changes of a run are changes of apps, each with its run.
  if (!isWhole) kinds.delete('bulk');
  const rules = caller.scope === 'all' ? 'all' : await listRulesOf(db, caller.scope);
  const subjects = isWhole ? ({ apps: caller.scope, servers: 'all', rules } as const) : which;
  const incidents = { reader: { kinds: visibleKinds(permissions), scope: caller.scope }, which };
  // One after the other, so that a call takes one connection.
  const groups = await listAuditMarks(db, span, { kinds, ...subjects });
  if (incidents.reader.kinds.length > 0) groups.push(...(await listIncidentMarks(db, span, incidents)));
  if (kinds.has('note')) groups.push(...(await listNoteMarks(db, span, { reader: noteReader(caller), which })));
  return listEntries({ db }, groups, caller);
}

type Chart = { apps: readonly number[]; servers: readonly number[]; rules: readonly number[] };

/** The subjects that a query names, as far as the caller sees them; apps bring the servers that they are linked to. */
async function chartOf(
  { db }: Pick<MarkDependencies, 'db'>,
  { query: { appId, serverId }, caller, kinds }: Pick<Call<typeof listMarks>, 'query' | 'caller'> & { kinds: ReadonlySet<MarkKind> },
): Promise<'all' | Chart> {
  if (appId === undefined && serverId === undefined) return 'all';
  const apps = withinScope(appId ?? [], caller.scope);
  const linked = isEmptyScope(apps) ? [] : await listServersOf(db, apps);
  const rules = kinds.has('rule') ? await listRulesOf(db, apps) : [];
  return { apps, servers: [...new Set([...(serverId ?? []), ...linked])], rules };
}

/** The entries of each bucket: the newest of each kind first, then the next ones, as many as a mark lists. */
async function listEntries({ db }: Pick<MarkDependencies, 'db'>, groups: readonly MarkGroup[], caller: AccountCaller): Promise<Mark[]> {
  const buckets = [...Map.groupBy(groups, ({ bucket }) => bucket).values()].map((ofBucket) => ({
    at: Math.max(...ofBucket.map(({ at }) => at.getTime())),
    count: ofBucket.reduce((sum, { count }) => sum + count, 0),
    listed: listedOf(ofBucket),
  }));
  const listed = buckets.flatMap((bucket) => bucket.listed);
  const idsOf = (wanted: Source): number[] => listed.flatMap(({ kind, id }) => (sourceOf(kind) === wanted ? [id] : []));
  // One after the other, so that a call takes one connection.
  const entries: Readonly<Record<Source, ReadonlyMap<number, MarkEntry>>> = {
    audit: await listMarkedEntries(db, idsOf('audit'), caller.scope),
    incident: await listMarkedIncidents(db, idsOf('incident')),
    note: await listMarkedNotes(db, idsOf('note'), (note) => mayDelete(note, caller)),
  };
  return buckets
    .toSorted((one, other) => other.at - one.at)
    .map(({ at, count, listed: own }) => ({
      at: formatDateTime(at * 1000),
      count,
      entries: own
        .flatMap(({ kind, id }) => entries[sourceOf(kind)].get(id) ?? [])
        .toSorted((one, other) => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1)),
    }));
}

type EntryKey = { kind: MarkKind; id: number };

/** Where the entries of a kind are stored. */
type Source = 'audit' | 'incident' | 'note';

function sourceOf(kind: MarkKind): Source {
  return kind === 'note' || kind === 'incident' ? kind : 'audit';
}

function listedOf(groups: readonly MarkGroup[]): EntryKey[] {
  const inOrder = markKinds.flatMap((kind) => groups.filter((group) => group.kind === kind));
  return Array.from({ length: markLimits.entries }, (_, place) => inOrder.flatMap(({ kind, ids }) => ({ kind, id: ids[place] })))
    .flat()
    .flatMap(({ kind, id }) => (id === undefined ? [] : [{ kind, id }]))
    .slice(0, markLimits.entries);
}

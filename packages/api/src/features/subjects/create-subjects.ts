import { cursorForm } from '@switchyard/contract/envelope';
import * as contract from '@switchyard/contract/subjects';
import type { Databases } from '../../database/connect.ts';
import type { AccountCaller, Feature, RequestContext } from '../../http/bind.ts';
import { Download } from '../../http/streamed-result.ts';
import { toFile } from '@switchyard/traffic-store/csv';
import type { DeliveryStore } from '@switchyard/traffic-store/delivery-store';
import type { EventStore, EventSubject } from '@switchyard/traffic-store/event-store';
import { findAppLabels } from '../apps/apps-lookup.ts';
import { recordExport } from '../audit/record-export-lookup.ts';
import { createLogMentions } from './log-mentions.ts';
import { findPlaceNames } from './places-lookup.ts';
import { kindsOf, readNewer, readTimeline, type Timeline, type TimelineDeps } from './read-timeline.ts';
import { deliveryPermissions, summariseAddress, summariseClient } from './summarise-subject.ts';
import { timelineLines } from './write-timeline.ts';

type Deps = {
  db: Databases['db'];
  eventStore: EventStore;
  deliveryStore: DeliveryStore;
  /** Reads the app log in `dir`. */
  appLog: Parameters<typeof createLogMentions>[0];
  now: () => Date;
};

/** Rows that a download reads at once. */
const downloadedRows = 500;

/** Permissions to see each kind of entry; requests are what the calls themselves need one for. */
const kindPermissions: Readonly<Record<Exclude<contract.TimelineKind, 'request'>, string>> = {
  ...deliveryPermissions,
  log: 'manager_dev_logs',
};

/** Pages about a client or an address: what it did in the caller's apps. */
export function createSubjects({ db, eventStore, deliveryStore, appLog, now }: Deps): Feature {
  const timelines: TimelineDeps = {
    eventStore,
    deliveryStore,
    logs: createLogMentions(appLog),
    findAppLabels: async (ids) => findAppLabels(db, ids),
    findPlaceNames: async (rows) => findPlaceNames(db, rows),
    now,
  };

  async function listTimeline(subject: EventSubject, query: contract.TimelineQuery, caller: AccountCaller) {
    const timeline = timelineOf(subject, query, caller);
    const { cursor, after, limit } = query;
    if (after !== undefined) {
      const data = await readNewer(timelines, timeline, { after, limit });
      return { data, pagination: cursorForm({ count: data.rows.length, limit, previous: null, next: null }) };
    }
    const { rows, newest, stoppedIn, next } = await readTimeline(timelines, timeline, { cursor, limit });
    const data = { rows, newest, has_gap: false, logs_searched_to: stoppedIn };
    return { data, pagination: cursorForm({ count: rows.length, limit, previous: null, next }) };
  }

  function download(
    subject: EventSubject,
    { query, caller, request }: { query: AskedTimeline; caller: AccountCaller; request: RequestContext },
  ): Download {
    const timeline = timelineOf(subject, query, caller);
    return new Download('clientUid' in subject ? 'client.csv' : 'address.csv', async (signal) => {
      await recordExport(db, { entity: 'request', caller, request });
      return toFile(timelineLines(async (cursor) => readTimeline(timelines, timeline, { cursor, limit: downloadedRows }), signal));
    });
  }

  const deps = { db, eventStore, deliveryStore, now };
  return {
    bindRoutes(bind) {
      bind(contract.getClientSummary, async ({ params: { uid }, caller }) => summariseClient(deps, uid, caller));
      bind(contract.getAddressSummary, async ({ params: { ip }, caller }) => summariseAddress(deps, ip, caller));
      bind(contract.listClientTimeline, async ({ params: { uid }, query, caller }) => listTimeline({ clientUid: uid }, query, caller));
      bind(contract.listAddressTimeline, async ({ params: { ip }, query, caller }) => listTimeline({ address: ip }, query, caller));
      bind(contract.downloadClientTimeline, async ({ params: { uid }, ...call }) => download({ clientUid: uid }, call));
      bind(contract.downloadAddressTimeline, async ({ params: { ip }, ...call }) => download({ address: ip }, call));
    },
  };
}

type AskedTimeline = Partial<Pick<contract.TimelineQuery, 'kind' | 'place'>>;

/** Kinds that were not asked for, or that the caller may not see, are left out. */
function timelineOf(subject: EventSubject, { kind: askedKinds, place }: AskedTimeline, { account, scope }: AccountCaller): Timeline {
  const kinds = kindsOf({ subject }).filter(
    (kind) =>
      (askedKinds === undefined || askedKinds.includes(kind)) &&
      (kind === 'request' || account.permissions.includes(kindPermissions[kind])),
  );
  return { subject, scope, kinds: new Set(kinds), place };
}

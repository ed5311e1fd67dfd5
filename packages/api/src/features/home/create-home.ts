import { dayOf, dayRange, formatDateTime, fromDate } from '@switchyard/contract/dates';
import { attention, type Comparison, getHome, type Home, homePermissions } from '@switchyard/contract/home';
import { holdsAny } from '@switchyard/contract/permissions';
import type { Databases } from '../../database/connect.ts';
import {
  findExpiringCertificates,
  findExpiringDomains,
  findFailedLinks,
  findUnseenServers,
  listStoppedApps,
} from './attention-read-model.ts';
import type { AccountCaller, Feature } from '../../http/bind.ts';
import type { DeliveryStore } from '../../traffic-store/delivery-store.ts';
import { bucketStart, day, hour } from '../../traffic-store/time-buckets.ts';
import type { AppScope } from '../../app-scope.ts';
import type { EventStore } from '../../traffic-store/event-store.ts';
import { eventsOr } from '../../traffic-store/traffic-store.ts';

type Dependencies = {
  db: Databases['db'];
  eventStore: Pick<EventStore, 'countEventsBySpan' | 'findStoppedApps'>;
  deliveryStore: Pick<DeliveryStore, 'countPushesBySpan' | 'countConversionsBySpan'>;
  now: () => Date;
  serverOffset: string;
};

/** The call of the home page. A section is read only for accounts that may see it. */
export function createHome({ db, eventStore, deliveryStore, now, serverOffset }: Dependencies): Feature {
  /** Apps that had requests in the last whole hours of yesterday's clock, and none since these hours began today. */
  async function stoppedApps(scope: AppScope, at: Date): Promise<Home['stopped_apps']> {
    const until = bucketStart(fromDate(at), hour, serverOffset);
    const from = until - attention.stoppedHours * hour;
    const apps = await eventsOr(eventStore.findStoppedApps({ scope, from, until, atLeast: attention.stoppedRequests }), null);
    if (apps === null) return { total: null, rows: [] };
    return listStoppedApps(db, { scope, now: at }, apps);
  }

  /** Whole hours alone are compared, because roll-ups by app count by nothing shorter. */
  async function traffic(scope: AppScope, at: Date): Promise<Home['traffic']> {
    const { from } = dayRange(dayOf(fromDate(at), serverOffset), serverOffset);
    const until = bucketStart(fromDate(at), hour, serverOffset);
    const spans = [
      { from, until },
      { from: from - day, until: until - day },
    ];
    const spansQuery = { scope, spans };
    const sums = await eventsOr(eventStore.countEventsBySpan(spansQuery), null);
    const events = (name: 'create' | 'receive'): Comparison | null => sums && comparisonOf(sums.map((sum) => sum[name]));
    return {
      from: formatDateTime(from),
      until: formatDateTime(until),
      create: events('create'),
      receive: events('receive'),
      push: comparisonOf(await deliveryStore.countPushesBySpan(spansQuery)),
      conversion: comparisonOf(await deliveryStore.countConversionsBySpan(spansQuery)),
    };
  }

  async function read({ account, scope }: AccountCaller): Promise<Home> {
    const at = now();
    const seesApps = holdsAny(account.permissions, homePermissions.apps);
    const query = { scope, now: at };
    // One after the other: a page that is asked for every minute takes one connection, not six.
    return {
      expiring_domains: seesApps ? await findExpiringDomains(db, query) : null,
      expiring_certificates: seesApps ? await findExpiringCertificates(db, query) : null,
      failed_links: seesApps ? await findFailedLinks(db, query) : null,
      unseen_servers: holdsAny(account.permissions, homePermissions.servers) ? await findUnseenServers(db, at) : null,
      stopped_apps: seesApps ? await stoppedApps(scope, at) : null,
      traffic: holdsAny(account.permissions, homePermissions.traffic) ? await traffic(scope, at) : null,
    };
  }

  return {
    bindRoutes(bind) {
      bind(getHome, async ({ caller }) => read(caller));
    },
  };
}

function comparisonOf([today = 0, yesterday = 0]: readonly number[]): Comparison {
  return { today, yesterday };
}

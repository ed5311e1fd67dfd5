import { dayOf, dayRange, formatDateTime, fromDate } from '@switchyard/contract/dates';
import { attention, getHome, homePermissions, type Comparison, type Home } from '@switchyard/contract/home';
import { holdsAny } from '@switchyard/contract/permissions';
import type { Databases } from '../../database/connect.ts';
import type { AccountCaller, Feature } from '../../http/bind.ts';
import type { ConversionStore } from '../../traffic-store/conversion-store.ts';
import type { PushStore } from '../../traffic-store/push-store.ts';
import { bucketStart, day, hour } from '../../traffic-store/time-buckets.ts';
import type { AppScope, TrafficStore } from '../../traffic-store/traffic-store.ts';
import {
  findExpiringCertificates,
  findExpiringDomains,
  findFailedLinks,
  findUnseenServers,
  nameStoppedApps,
} from './attention-read-model.ts';

/** Pushes or conversions of two days that are counted one by one: about 10 ms. */
const mostCounted = 20_000;
/** Apps of a restricted account whose requests are summed: about as long. All apps together have a roll-up of their own. */
const mostSummedApps = 100;

type Dependencies = {
  db: Databases['db'];
  trafficStore: Pick<TrafficStore, 'sumRequests' | 'findStoppedApps'>;
  pushStore: Pick<PushStore, 'countPushesBySpan'>;
  conversionStore: Pick<ConversionStore, 'countConversionsBySpan'>;
  now: () => Date;
  serverOffset: string;
};

/** The home page ([140]). Each section is read only for accounts that may see it. */
export function createHome({ db, trafficStore, pushStore, conversionStore, now, serverOffset }: Dependencies): Feature {
  /** Apps that had requests in the last whole hours of yesterday's clock, and none since these hours began today. */
  async function stoppedApps(scope: AppScope, at: Date): Promise<Home['stopped_apps']> {
    const until = bucketStart(fromDate(at), hour, serverOffset);
    const from = until - attention.stoppedHours * hour;
    const stopped = await trafficStore.findStoppedApps({ scope, from, until, atLeast: attention.stoppedRequests });
    return nameStoppedApps(db, { scope, now: at }, stopped);
  }

  /** Whole hours alone are compared, because roll-ups by app have nothing shorter. */
  async function traffic(scope: AppScope, at: Date): Promise<Home['traffic']> {
    const { from } = dayRange(dayOf(fromDate(at), serverOffset), serverOffset);
    const until = bucketStart(fromDate(at), hour, serverOffset);
    const spans = [
      { from, until },
      { from: from - day, until: until - day },
    ];
    const [today, yesterday] = scope === 'all' || scope.length <= mostSummedApps ? await trafficStore.sumRequests({ scope, spans }) : [];
    const of = (name: 'create' | 'receive'): Comparison | null =>
      today === undefined || yesterday === undefined ? null : { today: today[name], yesterday: yesterday[name] };
    const deliveries = { scope, spans, most: mostCounted };
    return {
      from: formatDateTime(from),
      until: formatDateTime(until),
      create: of('create'),
      receive: of('receive'),
      push: comparisonOf(await pushStore.countPushesBySpan(deliveries)),
      conversion: comparisonOf(await conversionStore.countConversionsBySpan(deliveries)),
    };
  }

  async function read({ account, scope }: AccountCaller): Promise<Home> {
    const at = now();
    const seesApps = holdsAny(account.permissions, homePermissions.apps);
    const asked = { scope, now: at };
    // One after the other: a page that is asked for every minute takes one connection, not six.
    return {
      expiring_domains: seesApps ? await findExpiringDomains(db, asked) : null,
      expiring_certificates: seesApps ? await findExpiringCertificates(db, asked) : null,
      failed_links: seesApps ? await findFailedLinks(db, asked) : null,
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

function comparisonOf(counts: readonly number[] | null): Comparison | null {
  if (counts === null) return null;
  const [today = 0, yesterday = 0] = counts;
  return { today, yesterday };
}

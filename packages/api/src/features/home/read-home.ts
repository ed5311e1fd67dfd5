import { dayOf, dayRange, formatDateTime, fromDate } from '@switchyard/contract/dates';
import { type Comparison, type Home, homePermissions } from '@switchyard/contract/home';
import { alertPermissions, holdsAny } from '@switchyard/contract/permissions';
import type { Databases } from '../../database/connect.ts';
import { findOpenIncidents } from '../alerts/open-incidents-lookup.ts';
import { listUnheardRules } from '../alerts/unheard-rules-lookup.ts';
import type { AccountCaller } from '../../http/bind.ts';
import type { DeliveryStore } from '@switchyard/traffic-store/delivery-store';
import { bucketStart, day, hour } from '@switchyard/traffic-store/time-buckets';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import { eventsOr } from '@switchyard/traffic-store/traffic-store';

export type HomeDependencies = {
  db: Databases['db'];
  eventStore: Pick<EventStore, 'countEventsBySpan'>;
  deliveryStore: Pick<DeliveryStore, 'countPushesBySpan' | 'countConversionsBySpan'>;
  now: () => Date;
  serverOffset: string;
};

/** Reads the home page of a caller. A part is read only for accounts that may see it. */
export function createReadHome({
  db,
  eventStore,
  deliveryStore,
  now,
  serverOffset,
}: HomeDependencies): (caller: AccountCaller) => Promise<Home> {
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

  return async function read(caller: AccountCaller): Promise<Home> {
    const { account, scope } = caller;
    // One after the other: a page that is asked for every minute takes one connection.
    return {
      incidents: await findOpenIncidents(db, caller),
      unheard_rules: scope === 'all' && holdsAny(account.permissions, alertPermissions) ? (await listUnheardRules(db, now())).length : 0,
      traffic: holdsAny(account.permissions, homePermissions.traffic) ? await traffic(scope, now()) : null,
    };
  };
}

function comparisonOf([today = 0, yesterday = 0]: readonly number[]): Comparison {
  return { today, yesterday };
}

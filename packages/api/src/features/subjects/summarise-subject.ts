import { formatDateTime, wireDate } from '@switchyard/contract/dates';
import { requestTypes } from '@switchyard/contract/requests';
import { type AddressSummary, type ClientSummary, latestOfSubject, rulesOfBlock } from '@switchyard/contract/subjects';
import type { Databases } from '../../database/connect.ts';
import type { AccountCaller } from '../../http/bind.ts';
import type { DeliveryKind, DeliveryStore } from '@switchyard/traffic-store/delivery-store';
import { addressRange } from '@switchyard/traffic-store/event-search';
import type { EventStore, EventSummary, SeenSpan } from '@switchyard/traffic-store/event-store';
import { findAppLabels } from '../apps/apps-lookup.ts';
import { asnsOf } from './asns-lookup.ts';
import { findBlocks, findBlocksInside } from './blocks-lookup.ts';

export type SummaryDeps = {
  db: Databases['db'];
  eventStore: Pick<EventStore, 'getEventSummary'>;
  deliveryStore: Pick<DeliveryStore, 'countDeliveriesOfClient'>;
  now: () => Date;
};
type Reader = Pick<AccountCaller, 'scope' | 'account'>;

/** Permissions to see the deliveries of each kind. */
export const deliveryPermissions = { push: 'manager_app_pushes', conversion: 'manager_app_conversions' } as const;

/** Summary of a client in the caller's apps. */
export async function summariseClient(deps: SummaryDeps, uid: string, caller: Reader): Promise<ClientSummary> {
  const { db, eventStore, deliveryStore } = deps;
  const { scope, account } = caller;
  const count = async (kind: DeliveryKind) =>
    account.permissions.includes(deliveryPermissions[kind])
      ? (await deliveryStore.countDeliveriesOfClient(kind, { clientUid: uid, scope })).total
      : null;
  const [summary, pushes, conversions] = await Promise.all([
    eventStore.getEventSummary({ scope, subject: { clientUid: uid }, limit: latestOfSubject }),
    count('push'),
    count('conversion'),
  ]);
  const [common, origins] = await Promise.all([
    commonPart(db, summary),
    originsOf(
      deps,
      summary.latest.map(({ value }) => value),
      caller,
    ),
  ]);
  const addresses = summary.latest.map(({ value: ip, country, ...span }) => ({
    ip,
    country: country === '' ? null : country,
    ...seenAt(span),
    ...origins(ip),
  }));
  return { uid, ...common, addresses, addresses_total: summary.total, pushes, conversions };
}

/** Summary of an address or a CIDR block in the caller's apps. */
export async function summariseAddress(deps: SummaryDeps, ip: string, caller: Reader): Promise<AddressSummary> {
  const { db, eventStore } = deps;
  const { permissions } = caller.account;
  const isBlock = ip.includes('/');
  const [summary, rules] = await Promise.all([
    eventStore.getEventSummary({ scope: caller.scope, subject: { address: ip }, limit: latestOfSubject }),
    isBlock ? rulesInside(deps, ip, permissions) : rulesOn(deps, ip, caller),
  ]);
  return {
    ip,
    ...(await commonPart(db, summary)),
    ...rules,
    clients: summary.latest.map(({ value: uid, country: _country, ...span }) => ({ uid, ...seenAt(span) })),
    clients_total: summary.total,
    may_block: !isBlock && permissions.includes('manager_settings_asns'),
  };
}

async function rulesOn(deps: SummaryDeps, ip: string, caller: Reader) {
  const origin = (await originsOf(deps, [ip], caller))(ip);
  return { ...origin, blocked_total: origin.blocked_by.length };
}

async function rulesInside({ db, now }: SummaryDeps, block: string, permissions: readonly string[]) {
  const range = addressRange(block);
  if (range === null) throw new Error(`Subject: not a block (${block})`);
  const { rules, total } = await findBlocksInside(db, range, { permissions, limit: rulesOfBlock, now: now() });
  return { asn: null, blocked_by: rules, blocked_total: total };
}

/** The autonomous systems of these addresses, and what blocks them. */
async function originsOf({ db, now }: SummaryDeps, addresses: readonly string[], { account }: Reader) {
  const asns = await asnsOf(db, addresses);
  const blocks = await findBlocks(db, asns, { permissions: account.permissions, now: now() });
  return (ip: string) => ({ asn: asns.get(ip) ?? null, blocked_by: blocks.get(ip) ?? [] });
}

async function commonPart(db: Databases['db'], { all, types, apps, countries }: EventSummary) {
  const labels = await findAppLabels(
    db,
    apps.map(({ appId }) => appId),
  );
  const countOf = (type: (typeof requestTypes)[number]) => types.get(type) ?? 0;
  const [create, receive, token, track, proxy, fixedType, error] = requestTypes;
  return {
    requests: all?.events ?? 0,
    first_seen_at: all && formatDateTime(all.first),
    last_seen_at: all && formatDateTime(all.last),
    types: {
      [create]: countOf(create),
      [receive]: countOf(receive),
      [token]: countOf(token),
      [track]: countOf(track),
      [proxy]: countOf(proxy),
      [fixedType]: countOf(fixedType),
      [error]: countOf(error),
    },
    apps: apps.map(({ appId: id, events: requests, last }) => {
      const label = labels.get(id);
      return {
        id,
        name: label?.name ?? '',
        domain: label?.domain ?? '',
        deleted_at: wireDate(label?.deleted_at ?? null),
        requests,
        last_seen_at: formatDateTime(last),
      };
    }),
    countries: countries.map(({ code, events }) => ({ code: code === '' ? null : code, requests: events })),
  };
}

function seenAt({ events, first, last }: SeenSpan) {
  return { requests: events, first_seen_at: formatDateTime(first), last_seen_at: formatDateTime(last) };
}

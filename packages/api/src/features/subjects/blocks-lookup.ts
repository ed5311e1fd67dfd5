import type { AsnRow } from '@switchyard/contract/asns';
import { wireDate } from '@switchyard/contract/dates';
import { type Block, blockReasonPermissions } from '@switchyard/contract/request-by-id';
import { holdsAny } from '@switchyard/contract/permissions';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AddressRange } from '@switchyard/traffic-store/event-store';
import { findAsns, findBanReasons, nearestAsn } from '../asns/registry-lookup.ts';
import { isPresent } from '../black-ips/present-entries-lookup.ts';
import { findLastChanges, findLastTurnedOn, type LastChange } from '../history/last-changes-lookup.ts';
import type { AsnsByAddress } from './asns-lookup.ts';

/**
 * The rules of operators that block each of these addresses now: the black list, networks around it the widest first, and bans of its
 * autonomous system. Every address has an entry. It takes six statements at most, whatever the number of addresses.
 * @param asns what `asnsOf` found for the addresses
 * @param permissions those of the caller, which decide whether reason, times and actor are returned
 */
export async function findBlocks(
  db: Kysely<Tables>,
  asns: AsnsByAddress,
  { permissions, now }: { permissions: readonly string[]; now: Date },
): Promise<ReadonlyMap<string, Block[]>> {
  const addresses = [...asns.keys()];
  const [listedAddresses, { rows: around }] = await Promise.all([
    findListed(db, { table: 'black_ips', where: sql<SqlBool>`ip = any(${addresses}::text[])`, now }),
    sql<{ ip: string; networks: string[] }>`
      select asked.ip, array_agg(network order by masklen(span)) as networks
      from unnest(${addresses}::text[]) as asked(ip) join black_networks on span >>= asked.ip::inet
      where ${isPresent(now)} group by asked.ip
    `.execute(db),
  ]);
  const networksOf = new Map(around.map(({ ip, networks }) => [ip, networks]));
  const networks = [...networksOf.values()].flat();
  const listedNetworks =
    networks.length === 0
      ? []
      : await findListed(db, { table: 'black_networks', where: sql<SqlBool>`network = any(${networks}::text[])`, now });
  const codes = [...new Set(asns.values())].filter((asn) => asn !== null);
  const rules = await toBlocks(db, { listed: [...listedAddresses, ...listedNetworks], bannedAsns: codes }, permissions);
  return new Map(
    Array.from(asns, ([ip, asn]) => {
      const targets = [ip, ...(networksOf.get(ip) ?? []), ...(asn === null ? [] : [targetOf(asn)])];
      return [ip, targets.flatMap((target) => rules.get(target) ?? [])];
    }),
  );
}

/**
 * The rules on addresses of a block and on networks around it and in it, last changed first, and on autonomous systems with addresses in
 * it: all networks around it, which alone block all of it, `limit` of each of the others at most, and how many there are.
 */
export async function findBlocksInside(
  db: Kysely<Tables>,
  { first, last }: AddressRange,
  { permissions, limit, now }: { permissions: readonly string[]; limit: number; now: Date },
): Promise<{ rules: Block[]; total: number }> {
  const inside = sql<SqlBool>`ip::inet between ${first}::inet and ${last}::inet`;
  const block = sql`inet_merge(${first}::inet, ${last}::inet)`;
  const listed = [
    ...(await findListed(db, { table: 'black_ips', where: inside, now, limit })),
    ...(await findListed(db, { table: 'black_networks', where: sql<SqlBool>`span >>= ${block}`, now })),
    ...(await findListed(db, { table: 'black_networks', where: sql<SqlBool>`span << ${block}`, now, limit })),
  ];
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from black_ips where ${inside} and ${isPresent(now)})::integer
      + (select count(*) from black_networks where span && ${block} and ${isPresent(now)})::integer as count
  `.execute(db);
  const { rows: bannedAsns } = await sql<AsnRow & { total: number }>`
    with codes as (
      select code from asn_prefixes where first between ${first}::inet and ${last}::inet
      union select code from (${nearestAsn(sql`${first}::inet`)}) as around
    )
    select asns.code, domain, name, is_ban_create, is_ban_receive, (count(*) over ())::integer as total
    from asns join codes on codes.code = asns.code
    where is_ban_create or is_ban_receive order by asns.code limit ${limit}
  `.execute(db);
  const rules = await toBlocks(db, { listed, bannedAsns }, permissions);
  return { rules: [...rules.values()], total: (rows[0]?.count ?? 0) + (bannedAsns[0]?.total ?? 0) };
}

/** The ban of an autonomous system, if there is one. */
export async function findBlocksOfAsn(
  db: Kysely<Tables>,
  code: number,
  { permissions }: { permissions: readonly string[] },
): Promise<Block[]> {
  const bannedAsns = [...(await findAsns(db, [String(code)])).values()];
  return [...(await toBlocks(db, { listed: [], bannedAsns }, permissions)).values()];
}

type Rules = { listed: readonly ListedEntry[]; bannedAsns: readonly AsnRow[] };

/** The rules by their target. */
async function toBlocks(db: Kysely<Tables>, { listed, bannedAsns }: Rules, permissions: readonly string[]): Promise<Map<string, Block>> {
  const isTold = holdsAny(permissions, blockReasonPermissions);
  const entries = isTold ? listed.filter(({ change }) => change === null).map(({ entry }) => entry) : [];
  const codes = isTold ? bannedAsns.filter((asn) => bannedTypes(asn).length > 0).map(({ code }) => String(code)) : [];
  const [ofEntries, ofAsns, reasons, create, receive] = await Promise.all([
    findLastChanges(db, 'black_ip', entries),
    findLastChanges(db, 'asn', codes),
    findBanReasons(db, codes.map(Number)),
    findLastTurnedOn(db, { entity: 'asn', field: 'isBanCreate', ids: codes }),
    findLastTurnedOn(db, { entity: 'asn', field: 'isBanReceive', ids: codes }),
  ]);
  const rules = new Map<string, Block>();
  for (const { entry, kind, reason, since, at, change } of listed) {
    const known = { reason, since: { create: since, receive: since }, at, ...(change ?? ofEntries.get(entry)) };
    rules.set(entry, { kind, target: entry, name: '', applies_to: ['create', 'receive'], ...unknown, ...(isTold ? known : {}) });
  }
  for (const asn of bannedAsns) {
    const types = bannedTypes(asn);
    if (types.length === 0) continue;
    const [code, target] = [String(asn.code), targetOf(asn)];
    const since = {
      create: asn.is_ban_create ? (create.get(code) ?? null) : null,
      receive: asn.is_ban_receive ? (receive.get(code) ?? null) : null,
    };
    rules.set(target, {
      kind: 'asn',
      target,
      name: asn.name,
      applies_to: types,
      ...unknown,
      since,
      reason: reasons.get(asn.code) ?? null,
      ...ofAsns.get(code),
    });
  }
  return rules;
}

/** Where nothing is known, or the caller may not see it. */
const unknown = { reason: null, since: { create: null, receive: null }, at: null, actor: null };

function targetOf({ code }: AsnRow): string {
  return `AS${code}`;
}

function bannedTypes({ is_ban_create, is_ban_receive }: AsnRow): Block['applies_to'] {
  return [...(is_ban_create ? ['create' as const] : []), ...(is_ban_receive ? ['receive' as const] : [])];
}

/**
 * An entry of the black list. The trail may lack it, but the list knows since when it is there and when it changed; `change` is who set it,
 * where the list knows that, too.
 */
type ListedEntry = {
  entry: string;
  kind: 'address' | 'network';
  reason: string | null;
  since: string;
  at: string;
  change: LastChange | null;
};

/** Entries of the black list that match, last changed first. */
async function findListed(
  db: Kysely<Tables>,
  { table, where, now, limit }: { table: 'black_ips' | 'black_networks'; where: RawBuilder<SqlBool>; now: Date; limit?: number },
): Promise<ListedEntry[]> {
  const [key, kind] = table === 'black_ips' ? ([sql.ref('ip'), 'address'] as const) : ([sql.ref('network'), 'network'] as const);
  type Row = { entry: string; reason: string; created_at: Date; updated_at: Date; set_by: number | null; name: string | null };
  const { rows } = await sql<Row>`
    select listed.*, accounts.name from (
      select ${key} as entry, reason, created_at, updated_at, set_by from ${sql.table(table)}
      where ${where} and ${isPresent(now)} order by updated_at desc, entry limit ${limit ?? null}::integer
    ) as listed left join accounts on accounts.id = listed.set_by order by updated_at desc, entry
  `.execute(db);
  return rows.map(({ entry, reason, created_at: since, updated_at: at, set_by: id, name }) => ({
    entry,
    kind,
    reason: reason === '' ? null : reason,
    since: wireDate(since),
    at: wireDate(at),
    change: id === null || name === null ? null : { at: wireDate(at), actor: { id, name } },
  }));
}

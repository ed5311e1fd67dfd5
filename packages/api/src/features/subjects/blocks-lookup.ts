import type { AsnRow } from '@switchyard/contract/asns';
import { wireDate } from '@switchyard/contract/dates';
import { type Block, blockReasonPermissions } from '@switchyard/contract/request-by-id';
import { holdsAny } from '@switchyard/contract/permissions';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AddressRange } from '@switchyard/traffic-store/event-store';
import { nearestAsn } from '../asns/registry-lookup.ts';
import { findLastChanges, findLastTurnedOn } from '../history/last-changes-lookup.ts';
import type { AsnsByAddress } from './asns-lookup.ts';

/**
 * The rules of operators that block each of these addresses now: the black list, and bans of its autonomous system. Every address has an
 * entry. It takes five statements at most, whatever the number of addresses.
 * @param asns what `asnsOf` found for the addresses
 * @param permissions those of the caller, which decide whether reason, times and actor are returned
 */
export async function findBlocks(
  db: Kysely<Tables>,
  asns: AsnsByAddress,
  permissions: readonly string[],
): Promise<ReadonlyMap<string, Block[]>> {
  const listedAddresses = await findListed(db, sql<SqlBool>`ip = any(${[...asns.keys()]}::text[])`);
  const codes = [...new Set(asns.values())].filter((asn) => asn !== null);
  const rules = await toBlocks(db, { listedAddresses, bannedAsns: codes }, permissions);
  return new Map(
    Array.from(asns, ([ip, asn]) => {
      const targets = [ip, ...(asn === null ? [] : [targetOf(asn)])];
      return [ip, targets.flatMap((target) => rules.get(target) ?? [])];
    }),
  );
}

/**
 * The rules on addresses of a block, last changed first, and on autonomous systems with addresses in it: `limit` of each at most, and how
 * many there are.
 */
export async function findBlocksInside(
  db: Kysely<Tables>,
  { first, last }: AddressRange,
  { permissions, limit }: { permissions: readonly string[]; limit: number },
): Promise<{ rules: Block[]; total: number }> {
  const inside = sql<SqlBool>`ip::inet between ${first}::inet and ${last}::inet`;
  const listedAddresses = await findListed(db, inside, limit);
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from black_ips where ${inside}`.execute(db);
  const { rows: bannedAsns } = await sql<AsnRow & { total: number }>`
    with codes as (
      select code from asn_prefixes where first between ${first}::inet and ${last}::inet
      union select code from (${nearestAsn(sql`${first}::inet`)}) as around
    )
    select asns.code, domain, name, is_ban_create, is_ban_receive, (count(*) over ())::integer as total
    from asns join codes on codes.code = asns.code
    where is_ban_create or is_ban_receive order by asns.code limit ${limit}
  `.execute(db);
  const rules = await toBlocks(db, { listedAddresses, bannedAsns }, permissions);
  return { rules: [...rules.values()], total: (rows[0]?.count ?? 0) + (bannedAsns[0]?.total ?? 0) };
}

type Rules = { listedAddresses: readonly ListedAddress[]; bannedAsns: readonly AsnRow[] };

/** The rules by their target. */
async function toBlocks(
  db: Kysely<Tables>,
  { listedAddresses, bannedAsns }: Rules,
  permissions: readonly string[],
): Promise<Map<string, Block>> {
  const isTold = holdsAny(permissions, blockReasonPermissions);
  const ips = isTold ? listedAddresses.map(({ ip }) => ip) : [];
  const codes = isTold ? bannedAsns.filter((asn) => bannedTypes(asn).length > 0).map(({ code }) => String(code)) : [];
  const [ofIps, ofAsns, create, receive] = await Promise.all([
    findLastChanges(db, 'black_ip', ips),
    findLastChanges(db, 'asn', codes),
    findLastTurnedOn(db, { entity: 'asn', field: 'isBanCreate', ids: codes }),
    findLastTurnedOn(db, { entity: 'asn', field: 'isBanReceive', ids: codes }),
  ]);
  const rules = new Map<string, Block>();
  for (const { ip, since, ...entry } of listedAddresses) {
    const knownFields = isTold ? { ...entry, since: { create: since, receive: since }, ...ofIps.get(ip) } : {};
    rules.set(ip, { kind: 'address', target: ip, name: '', applies_to: ['create', 'receive'], ...unknown, ...knownFields });
  }
  for (const asn of bannedAsns) {
    const types = bannedTypes(asn);
    if (types.length === 0) continue;
    const [code, target] = [String(asn.code), targetOf(asn)];
    const since = {
      create: asn.is_ban_create ? (create.get(code) ?? null) : null,
      receive: asn.is_ban_receive ? (receive.get(code) ?? null) : null,
    };
    rules.set(target, { kind: 'asn', target, name: asn.name, applies_to: types, ...unknown, since, ...ofAsns.get(code) });
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

/** An address of the black list; the trail may lack its entry, but the list knows since when it is there and when it changed. */
type ListedAddress = { ip: string; reason: string | null; since: string; at: string };

/** Addresses of the black list that match, last changed first. */
async function findListed(db: Kysely<Tables>, where: RawBuilder<SqlBool>, limit?: number): Promise<ListedAddress[]> {
  const { rows } = await sql<{ ip: string; reason: string; created_at: Date; updated_at: Date }>`
    select ip, reason, created_at, updated_at from black_ips where ${where} order by updated_at desc, ip limit ${limit ?? null}::integer
  `.execute(db);
  return rows.map(({ ip, reason, created_at: since, updated_at: at }) => ({
    ip,
    reason: reason === '' ? null : reason,
    since: wireDate(since),
    at: wireDate(at),
  }));
}

import type { AsnRow } from '@switchyard/contract/asns';
import type { AsnOfAddress } from '@switchyard/contract/request-by-id';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { nearestAsn } from '../asns/registry-lookup.ts';

/** Autonomous systems by address. Every address that was asked for has an entry. */
export type AsnsByAddress = ReadonlyMap<string, AsnOfAddress>;

/** The autonomous systems of canonical addresses, with their bans, in one statement. */
export async function asnsOf(db: Kysely<Tables>, addresses: Iterable<string>): Promise<AsnsByAddress> {
  const distinctAddresses = [...new Set(addresses)];
  const asnByAddress = new Map<string, AsnOfAddress>(distinctAddresses.map((ip) => [ip, null]));
  if (distinctAddresses.length === 0) return asnByAddress;
  const { rows } = await sql<AsnRow & { ip: string }>`
    select asked.ip, asns.code, asns.domain, asns.name, asns.is_ban_create, asns.is_ban_receive
    from unnest(${distinctAddresses}::text[]) as asked(ip)
    cross join lateral (
      ${nearestAsn(sql`asked.ip::inet`)}
    ) as nearest
    join asns on asns.code = nearest.code
  `.execute(db);
  for (const { ip, ...asn } of rows) asnByAddress.set(ip, asn);
  return asnByAddress;
}

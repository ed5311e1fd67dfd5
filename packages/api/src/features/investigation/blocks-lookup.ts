import type { AsnRow } from '@switchyard/contract/asns';
import { wireDate } from '@switchyard/contract/dates';
import { type Block, blockReasonPermissions } from '@switchyard/contract/investigation';
import { holdsAny } from '@switchyard/contract/permissions';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { findLastChanges, type LastChange } from '../audit/last-changes-lookup.ts';
import type { AsnsByAddress } from './asns-lookup.ts';

/**
 * The rules of operators that block each of these addresses now: the black list, and bans of its autonomous system. Every address has an
 * entry. It takes three statements at most, whatever the number of addresses.
 * @param asns what `asnsOf` found for the addresses
 * @param permissions those of the caller, which decide whether reason, time and actor are told
 */
export async function findBlocks(
  db: Kysely<Tables>,
  asns: AsnsByAddress,
  permissions: readonly string[],
): Promise<ReadonlyMap<string, Block[]>> {
  const listed = await findListed(db, [...asns.keys()]);
  const banned = new Set<string>();
  for (const asn of asns.values()) if (asn !== null && bannedTypes(asn).length > 0) banned.add(String(asn.code));
  const trail = holdsAny(permissions, blockReasonPermissions)
    ? await Promise.all([findLastChanges(db, 'black_ip', [...listed.keys()]), findLastChanges(db, 'asn', [...banned])])
    : null;
  return new Map(
    Array.from(asns, ([ip, asn]) => {
      const [entry, types] = [listed.get(ip), asn === null ? [] : bannedTypes(asn)];
      return [
        ip,
        [
          ...(entry === undefined ? [] : [addressBlock(ip, trail && { ...entry, ...trail[0].get(ip) })]),
          ...(asn === null || types.length === 0 ? [] : [asnBlock(asn, types, trail?.[1].get(String(asn.code)))]),
        ],
      ];
    }),
  );
}

const untold = { reason: null, at: null, actor: null };

function addressBlock(ip: string, known: (ListedAddress & Partial<LastChange>) | null): Block {
  return { kind: 'address', target: ip, name: '', applies_to: ['create', 'receive'], ...untold, ...known };
}

function asnBlock({ code, name }: AsnRow, types: Block['applies_to'], change: LastChange | undefined): Block {
  return { kind: 'asn', target: `AS${code}`, name, applies_to: types, ...untold, ...change };
}

function bannedTypes({ is_ban_create, is_ban_receive }: AsnRow): Block['applies_to'] {
  return [...(is_ban_create ? ['create' as const] : []), ...(is_ban_receive ? ['receive' as const] : [])];
}

/** An address of the black list; the trail may lack its entry, but the list knows when it changed. */
type ListedAddress = { reason: string | null; at: string };

/** Those of the addresses that are black-listed. */
async function findListed(db: Kysely<Tables>, addresses: readonly string[]): Promise<Map<string, ListedAddress>> {
  const { rows } = await sql<{ ip: string; reason: string; updated_at: Date }>`
    select ip, reason, updated_at from black_ips where ip = any(${addresses}::text[])
  `.execute(db);
  return new Map(rows.map(({ ip, reason, updated_at: at }) => [ip, { reason: reason === '' ? null : reason, at: wireDate(at) }]));
}

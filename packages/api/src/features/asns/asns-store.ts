import type { AsnRow, AsnsQuery } from '@switchyard/contract/asns';
import type { SortDirection } from '@switchyard/contract/listing';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { sql, type Kysely, type SqlBool } from 'kysely';
import { containsText } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** Codes have 32 bits (RFC 6793). */
const largestCode = 4_294_967_295;
const columns = sql`code, domain, name, is_ban_create, is_ban_receive`;

/** The order of a list: that of codes, or these codes first and the others in their order. */
export type AsnsOrder = { direction: SortDirection } | { first: readonly number[] };

/** One page of the autonomous systems that match, and their total. */
export async function listAsnsPage(
  db: Kysely<Tables>,
  query: AsnsQuery,
  order: AsnsOrder = { direction: 'asc' },
): Promise<{ rows: AsnRow[]; total: number }> {
  const { page, limit } = query;
  const matching = await conditionOf(db, query);
  const [ranks, ranked] =
    'first' in order
      ? [sql`left join unnest(${order.first}::bigint[]) with ordinality as given (code, place) using (code)`, sql`place nulls last, code`]
      : [sql``, sql`code ${sql.raw(order.direction)}`];
  const { rows } = await sql<AsnRow>`
    select ${columns} from asns ${ranks} where ${matching} order by ${ranked} limit ${limit} offset ${(page - 1) * limit}
  `.execute(db);
  if (page === 1 && rows.length < limit) return { rows, total: rows.length };
  const { rows: counts } = await sql<{ total: number }>`select count(*) as total from asns where ${matching}`.execute(db);
  return { rows, total: counts[0]?.total ?? 0 };
}

/** Codes of all that match. */
export async function listMatchingCodes(db: Kysely<Tables>, filter: AsnsFilter): Promise<number[]> {
  const { rows } = await sql<{ code: number }>`select code from asns where ${await conditionOf(db, filter)}`.execute(db);
  return rows.map(({ code }) => code);
}

type AsnsFilter = Pick<AsnsQuery, 'search' | 'isBanCreate' | 'isBanReceive'>;

async function conditionOf(db: Kysely<Tables>, { search, isBanCreate, isBanReceive }: AsnsFilter) {
  const parts = [sql<SqlBool>`true`];
  if (isBanCreate !== undefined) parts.push(sql<SqlBool>`is_ban_create = ${isBanCreate}`);
  if (isBanReceive !== undefined) parts.push(sql<SqlBool>`is_ban_receive = ${isBanReceive}`);
  if (search !== undefined) parts.push(await findConditionOf(db, search));
  return sql.join(parts, sql` and `);
}

/** A list of several addresses, codes and words, or one of them. Names have commas, too, so a list has an address or a code in each part. */
async function findConditionOf(db: Kysely<Tables>, search: string) {
  const parts = search.split(',').map((part) => part.trim());
  const isListed = parts.length > 1 && parts.every((part) => canonicalIp(part) !== null || digitsOf(part) !== undefined);
  if (!isListed) return findOneConditionOf(db, search);
  const conditions = [];
  for (const part of parts) {
    const digits = digitsOf(part);
    conditions.push(digits === undefined ? await findOneConditionOf(db, part) : sql<SqlBool>`code = ${Number(digits)}::bigint`);
  }
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** The number of a system, with or without `AS` or `ASN` and a space. */
function digitsOf(text: string): string | undefined {
  return /^(?:asn?\s*)?(\d{1,10})$/i.exec(text)?.[1];
}

/** An address matches the systems that contain it; other text matches a part of a domain or name, or the beginning of a code. */
async function findOneConditionOf(db: Kysely<Tables>, search: string) {
  const ip = canonicalIp(search);
  if (ip !== null) return sql<SqlBool>`code = any(${await codesAt(db, ip)}::bigint[])`;
  const digits = digitsOf(search);
  const inWords = containsText(sql`words`, search);
  return digits === undefined ? inWords : sql<SqlBool>`(${beginsWith(Number(digits))} or ${inWords})`;
}

/** Codes that begin with these digits, as ranges of numbers: comparing codes as texts takes ten times as long. */
function beginsWith(digits: number) {
  const powers =
    digits === 0 ? [1] : Array.from({ length: 10 }, (_, zeros) => 10 ** zeros).filter((power) => digits * power <= largestCode);
  const ranges = powers.map((power) => sql<SqlBool>`code between ${digits * power}::bigint and ${(digits + 1) * power - 1}::bigint`);
  return sql<SqlBool>`(${sql.join([sql<SqlBool>`false`, ...ranges], sql` or `)})`;
}

/** Codes of the nearest ranges that begin at or before the address and contain it; ranges may overlap. */
async function codesAt(db: Kysely<Tables>, ip: string): Promise<number[]> {
  const { rows } = await sql<{ code: number }>`
    select code from (select last, code from asn_prefixes where first <= ${ip}::inet order by first desc limit 4) as near
    where last >= ${ip}::inet
  `.execute(db);
  return [...new Set(rows.map(({ code }) => code))];
}

/** Autonomous systems, locked in order of code until the transaction ends. */
export async function lockAsns(tx: OpenTransaction, codes: readonly number[]): Promise<AsnRow[]> {
  const { rows } = await sql<AsnRow>`
    select ${columns} from asns where code = any(${codes}::bigint[]) order by code for update
  `.execute(tx);
  return rows;
}

/** Sets the reasons of bans; an empty one is none. */
export async function updateBanReasons(tx: OpenTransaction, reasons: readonly { code: number; reason: string }[]): Promise<void> {
  const gone = reasons.filter(({ reason }) => reason === '').map(({ code }) => code);
  const kept = reasons.filter(({ reason }) => reason !== '');
  if (gone.length > 0) await sql`delete from asn_ban_reasons where code = any(${gone}::bigint[])`.execute(tx);
  if (kept.length === 0) return;
  await sql`
    insert into asn_ban_reasons (code, reason)
    select * from unnest(${kept.map(({ code }) => code)}::bigint[], ${kept.map(({ reason }) => reason)}::text[])
    on conflict (code) do update set reason = excluded.reason
  `.execute(tx);
}

/** Sets both flags of autonomous systems. Leaves those alone that have them, because each update costs an entry of the word index. */
export async function updateBans(tx: OpenTransaction, rows: readonly AsnRow[]): Promise<void> {
  await sql`
    update asns set is_ban_create = given.is_ban_create, is_ban_receive = given.is_ban_receive
    from unnest(${rows.map(({ code }) => code)}::bigint[], ${rows.map((row) => row.is_ban_create)}::boolean[],
      ${rows.map((row) => row.is_ban_receive)}::boolean[]) as given (code, is_ban_create, is_ban_receive)
    where asns.code = given.code and (asns.is_ban_create, asns.is_ban_receive) <> (given.is_ban_create, given.is_ban_receive)
  `.execute(tx);
}

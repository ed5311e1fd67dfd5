import { blackListKinds, type BlackListFilters } from '@switchyard/contract/black-list-query';
import { canonicalNetwork } from '@switchyard/contract/ip-network';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { containsText } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import { isPresent } from './present-entries-lookup.ts';

/** What the list says about an entry. `expiresAt` is null for an entry that stays. */
export type StoredEntry = { reason: string; source: string; expiresAt: Date | null };

/** A row of the list of entries. */
export type ListedEntryRow = {
  entry: string;
  kind: 'address' | 'network';
  reason: string;
  source: string;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  covered_by: string | null;
};

/** The widest network that covers an entry for as long as the entry is there. */
const coveringNetwork = sql`(
  select around.network from black_networks as around
  where around.span >> listed.span and (around.expires_at is null or around.expires_at >= listed.expires_at)
  order by masklen(around.span) limit 1
)`;

type Table = 'black_ips' | 'black_networks';
const tables = ['black_ips', 'black_networks'] as const;

/** Of each table: its key, the addresses of an entry, and the kind of its entries. The indexes have the same expressions. */
const partsOf = {
  black_ips: { key: sql.ref('ip'), span: sql`ip::inet`, kind: 'address' },
  black_networks: { key: sql.ref('network'), span: sql.ref('span'), kind: 'network' },
} as const;

/** The entries that match, from both tables; with `first` only so many of each, the last changed ones. */
function selectMatching(filters: BlackListFilters, now: Date, first?: number) {
  const parts = tables
    .filter((table) => filters.kind?.includes(partsOf[table].kind) ?? true)
    .map((table) => {
      const part = selectPart(table, conditionsOf(table, filters, now));
      return first === undefined ? part : sql`(${part} order by updated_at desc, ${partsOf[table].key} limit ${first})`;
    });
  return sql`from (${sql.join(parts, sql` union all `)}) as listed`;
}

function selectPart(table: Table, conditions: readonly RawBuilder<SqlBool>[]) {
  const { key, span, kind } = partsOf[table];
  return sql`select ${key} as entry, ${span} as span, ${kind}::text as kind, reason, source, expires_at, created_at, updated_at
    from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`;
}

function conditionsOf(table: Table, { search, expires, covered }: BlackListFilters, now: Date): RawBuilder<SqlBool>[] {
  const { key } = partsOf[table];
  return [
    isPresent(now),
    ...(expires === undefined ? [] : [sql<SqlBool>`(expires_at is not null) = ${expires}`]),
    ...(search === undefined ? [] : [contains(table, search)]),
    ...(covered === undefined ? [] : [sql<SqlBool>`(${key} in (${coveredKeys(table)})) = ${covered}`]),
  ];
}

/** What an entry is found by in lower case, as its index has it (migration 0057): its key, its reason and its source. */
export function wordsOf(table: Table): RawBuilder<string> {
  return sql`(${partsOf[table].key} || E'\\n' || lower(reason) || E'\\n' || lower(source))`;
}

/** A part of the entry, its reason or its source; with an address or a network also what is in it and around it. */
function contains(table: Table, search: string): RawBuilder<SqlBool> {
  const { key, span } = partsOf[table];
  const network = canonicalNetwork(search);
  const words = containsText(wordsOf(table), search);
  if (network === null) return words;
  // An address has nothing around which it is but itself, which is found by its words.
  const around = table === 'black_ips' ? sql`${key} = ${network}` : sql`${span} >>= ${network}::inet`;
  return sql<SqlBool>`(${words} or ${span} <<= ${network}::inet or ${around})`;
}

/** Keys of the entries that a network covers for as long as they are there; with `networks`, one of these. */
function coveredKeys(table: Table, networks?: readonly string[]) {
  return sql`select inside.key ${covers(table, networks)}`;
}

/** Networks that cover an entry for as long as it is there. */
function coveringKeys(table: Table) {
  return sql`select around.network ${covers(table)}`;
}

/**
 * Pairs of a network and an entry that it covers. From each network to its entries, so that the index of spans is used and not each entry
 * looked at. `offset 0` keeps the planner from it, which takes a comparison of spans for much wider than it is.
 */
function covers(table: Table, networks?: readonly string[]) {
  const { key, span } = partsOf[table];
  return sql`
    from black_networks as around cross join lateral (
      select ${key} as key from ${sql.table(table)} as listed
      where ${span} > around.span
        and ${span} <= set_masklen(broadcast(around.span)::inet, case family(around.span) when 4 then 32 else 128 end)
        and (around.expires_at is null or around.expires_at >= listed.expires_at)
      offset 0
    ) as inside
    where ${networks === undefined ? sql`true` : sql`around.network = any(${networks}::text[])`}
  `;
}

/** From so many matches on it is quicker to look for the first ones in order than to sort all: of a million entries every twentieth. */
const frequentFrom = 50_000;

/** One page of the entries, and how many match. */
export async function listEntriesPage(
  db: Kysely<Tables>,
  { filters, page, limit, now }: { filters: BlackListFilters; page: number; limit: number; now: Date },
): Promise<{ rows: ListedEntryRow[]; total: number }> {
  const { search, expires, covered, kind } = filters;
  const offset = (page - 1) * limit;
  const isWhole = search === undefined && expires === undefined && covered === undefined;
  const total = isWhole ? await countPresent(db, kind, now) : await countMatching(db, selectMatching(filters, now));
  // The index of the order gives the first ones of all or of many; for a rare match the planner would read all of it.
  const first = isWhole || total >= frequentFrom ? offset + limit : undefined;
  return { rows: await listEntryRows(db, selectMatching(filters, now, first), sql`limit ${limit} offset ${offset}`), total };
}

async function countMatching(db: Kysely<Tables>, matching: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${matching}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Counts all entries of some kinds. By indexes alone, while a condition on each entry would read every row. */
async function countPresent(db: Kysely<Tables>, kinds: BlackListFilters['kind'], now: Date): Promise<number> {
  const { rows } = await sql<{ address: number; network: number }>`
    select (select count(*) from black_ips) - (select count(*) from black_ips where expires_at <= ${now}) as address,
      (select count(*) from black_networks) - (select count(*) from black_networks where expires_at <= ${now}) as network
  `.execute(db);
  const counts = rows[0] ?? { address: 0, network: 0 };
  const chosenKinds: readonly (keyof typeof counts)[] = kinds ?? blackListKinds;
  return chosenKinds.reduce((sum, kind) => sum + counts[kind], 0);
}

async function listEntryRows(db: Kysely<Tables>, matching: RawBuilder<unknown>, part: RawBuilder<unknown>): Promise<ListedEntryRow[]> {
  const { rows } = await sql<ListedEntryRow>`
    select listed.*, ${coveringNetwork} as covered_by from (
      select * ${matching} order by updated_at desc, entry ${part}
    ) as listed order by updated_at desc, entry
  `.execute(db);
  return rows.map(({ entry, kind, reason, source, expires_at, created_at, updated_at, covered_by }) => {
    return { entry, kind, reason, source, expires_at, created_at, updated_at, covered_by };
  });
}

/** The entries that match, in order of the list. */
export async function listMatchingEntries(db: Kysely<Tables>, filters: BlackListFilters, now: Date): Promise<string[]> {
  const { rows } = await sql<{ entry: string }>`
    select entry ${selectMatching(filters, now)} order by updated_at desc, entry
  `.execute(db);
  return rows.map(({ entry }) => entry);
}

/** Rows of these entries, last changed first. */
export async function listEntriesNamed(db: Kysely<Tables>, entries: readonly string[], now: Date): Promise<ListedEntryRow[]> {
  const parts = tables.map((table) => selectPart(table, [sql<SqlBool>`${partsOf[table].key} = any(${entries}::text[])`, isPresent(now)]));
  return listEntryRows(db, sql`from (${sql.join(parts, sql` union all `)}) as listed`, sql``);
}

/**
 * Those of the entries that are on the list, locked until the transaction ends. Expired ones are deleted. All transactions lock addresses
 * before networks, and each in the order of its text, so that none waits for one that waits for it.
 */
export async function lockEntries(tx: OpenTransaction, entries: readonly string[], now: Date): Promise<ReadonlyMap<string, StoredEntry>> {
  const stored = new Map<string, StoredEntry>();
  for (const table of tables)
    for (const [entry, fields] of await lockKeys(tx, table, { keys: keysOf(table, entries).keys, now })) stored.set(entry, fields);
  return stored;
}

async function lockKeys(
  tx: OpenTransaction,
  table: Table,
  { keys, now }: { keys: readonly string[]; now: Date },
): Promise<ReadonlyMap<string, StoredEntry>> {
  if (keys.length === 0) return new Map();
  type Row = { entry: string; reason: string; source: string; expires_at: Date | null };
  const { rows } =
    table === 'black_ips'
      ? await sql<Row>`
          select ip as entry, reason, source, expires_at from black_ips where ip = any(${keys}::text[]) order by ip collate "C" for update
        `.execute(tx)
      : await sql<Row>`
          select network as entry, reason, source, expires_at from black_networks
          where network = any(${keys}::text[]) order by network collate "C" for update
        `.execute(tx);
  const isExpired = ({ expires_at: at }: Row): boolean => at !== null && at <= now;
  const expired = rows.filter(isExpired).map(({ entry }) => entry);
  const { key } = partsOf[table];
  if (expired.length > 0) await sql`delete from ${sql.table(table)} where ${key} = any(${expired}::text[])`.execute(tx);
  const present = rows.filter((row) => !isExpired(row));
  return new Map(present.map(({ entry, reason, source, expires_at: expiresAt }) => [entry, { reason, source, expiresAt }]));
}

/** The column that names an entry in its table, and the entries that belong there in order. */
function keysOf(table: Table, entries: readonly string[]) {
  const { key } = partsOf[table];
  return { key, keys: entries.filter((entry) => entry.includes('/') === (table === 'black_networks')).toSorted() };
}

/** A written entry; `before` is what the list said, null for a new one. */
export type WrittenEntry = { entry: string; before: StoredEntry | null };

/** Adds entries to the list, or gives known ones these fields. */
export async function insertEntries(
  tx: OpenTransaction,
  { entries, reason, source, expiresAt, setBy, now }: StoredEntry & { entries: readonly string[]; setBy: number; now: Date },
): Promise<WrittenEntry[]> {
  const written: WrittenEntry[] = [];
  for (const table of tables) {
    const { key, keys } = keysOf(table, entries);
    if (keys.length === 0) continue;
    const before = await lockKeys(tx, table, { keys, now });
    const { rows } = await sql<{ entry: string; is_new: boolean }>`
      insert into ${sql.table(table)} (${key}, reason, source, expires_at, set_by, created_at, updated_at)
      select entry, ${reason}, ${source}, ${expiresAt}::timestamptz, ${setBy}::integer, ${now}, ${now}
      from unnest(${keys}::text[]) with ordinality as asked(entry, place) order by place
      on conflict (${key}) do update set reason = excluded.reason, source = excluded.source, expires_at = excluded.expires_at,
        set_by = excluded.set_by, updated_at = excluded.updated_at
      returning ${key} as entry, xmax = 0 as is_new
    `.execute(tx);
    for (const { entry, is_new: isNew } of rows)
      written.push({ entry, before: isNew ? null : (before.get(entry) ?? { reason: '', source: '', expiresAt: null }) });
  }
  return written;
}

/** Removes an entry from the list and gives what the list said; undefined when it is not on the list. */
export async function deleteEntry(tx: OpenTransaction, entry: string, now: Date): Promise<StoredEntry | undefined> {
  const stored = await lockEntries(tx, [entry], now);
  for (const table of tables) {
    const { key, keys } = keysOf(table, [entry]);
    await sql`delete from ${sql.table(table)} where ${key} = any(${keys}::text[])`.execute(tx);
  }
  return stored.get(entry);
}

/** Deletes what has expired, but for what another transaction works with. */
export async function deleteExpired(db: Kysely<Tables>, now: Date): Promise<void> {
  const unaudited = unauditedStatement('the entry of the trail that set an expiry says until when', db);
  for (const table of tables) {
    const { key } = partsOf[table];
    await sql`
      delete from ${sql.table(table)} where ${key} in (select ${key} from ${sql.table(table)} where expires_at <= ${now} for update skip locked)
    `.execute(unaudited);
  }
}

/** Networks of the list that block what is in them at least until then. */
export async function listCoveringCandidates(
  db: Kysely<Tables>,
  { expiresAt, now }: { expiresAt: Date | null; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ network: string }>`
    select network from black_networks
    where expires_at is null or (expires_at > ${now} and expires_at >= ${expiresAt}::timestamptz)
  `.execute(db);
  return rows.map(({ network }) => network);
}

/** Expiries of those of the entries that are on the list; null for those that stay. */
export async function listExpiries(db: Kysely<Tables>, entries: readonly string[], now: Date): Promise<ReadonlyMap<string, Date | null>> {
  const { rows } = await sql<{ entry: string; expires_at: Date | null }>`
    select ip as entry, expires_at from black_ips where ip = any(${entries}::text[]) and ${isPresent(now)}
    union all
    select network, expires_at from black_networks where network = any(${entries}::text[]) and ${isPresent(now)}
  `.execute(db);
  return new Map(rows.map(({ entry, expires_at: expiresAt }) => [entry, expiresAt]));
}

/** Entries of an import that one statement inserts, so that it ends long before the limit of statements also with the longest reason. */
const insertedAtOnce = 2_000;

/** Adds entries of an import, and lets known ones expire as late as it says. Gives how many it added and extended. */
export async function insertImport(
  tx: OpenTransaction,
  { entries, reason, source, expiresAt, setBy, now }: StoredEntry & { entries: readonly string[]; setBy: number; now: Date },
): Promise<{ added: number; extended: number }> {
  const counts = { added: 0, extended: 0 };
  for (const table of tables) {
    const { key, keys } = keysOf(table, entries);
    for (let from = 0; from < keys.length; from += insertedAtOnce) {
      const part = keys.slice(from, from + insertedAtOnce);
      await lockKeys(tx, table, { keys: part, now });
      const { rows } = await sql<{ is_new: boolean }>`
        insert into ${sql.table(table)} as listed (${key}, reason, source, expires_at, set_by, created_at, updated_at)
        select entry, ${reason}, ${source}, ${expiresAt}::timestamptz, ${setBy}::integer, ${now}, ${now}
        from unnest(${part}::text[]) with ordinality as asked(entry, place) order by place
        on conflict (${key}) do update set expires_at = excluded.expires_at, set_by = excluded.set_by, updated_at = excluded.updated_at
        where listed.expires_at < coalesce(excluded.expires_at, 'infinity')
        returning xmax = 0 as is_new
      `.execute(tx);
      for (const { is_new: isNew } of rows) counts[isNew ? 'added' : 'extended'] += 1;
    }
  }
  return counts;
}

/**
 * Deletes entries that a network covers for as long as they are there; gives them. Entries and networks are locked first, because a
 * concurrent call may make an entry stay or remove its network, and what is deleted is decided on the locked rows.
 */
export async function deleteCovered(tx: OpenTransaction): Promise<string[]> {
  const { rows: ips } = await sql<{ entry: string }>`
    select ip as entry from black_ips where ip in (${coveredKeys('black_ips')}) order by ip collate "C" for update
  `.execute(tx);
  const { rows: networks } = await sql<{ entry: string }>`
    select network as entry from black_networks
    where network in (${coveredKeys('black_networks')}) or network in (${coveringKeys('black_ips')})
      or network in (${coveringKeys('black_networks')})
    order by network collate "C" for update
  `.execute(tx);
  const locked = { black_ips: ips.map(({ entry }) => entry), black_networks: networks.map(({ entry }) => entry) };
  const removed: string[] = [];
  for (const table of tables) {
    const { key } = partsOf[table];
    const { rows } = await sql<{ entry: string }>`
      delete from ${sql.table(table)} where ${key} = any(${locked[table]}::text[])
        and ${key} in (${coveredKeys(table, locked.black_networks)}) returning ${key} as entry
    `.execute(tx);
    removed.push(...rows.map(({ entry }) => entry));
  }
  return removed.toSorted();
}

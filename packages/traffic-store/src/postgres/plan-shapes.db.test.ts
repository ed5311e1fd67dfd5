import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { testEpoch } from '../../../api/test/arbitrary-events.ts';
import { everyWay, fewEvents, postgresReads, recordStatements, type Statement } from '../../../api/test/store-reads.ts';
import { createTestDatabase } from '../../../api/test/test-database.ts';
import { createTrafficStore } from '../open-traffic-store.ts';
import { recountDays } from './rollups.ts';
import { inTransaction } from './statements.ts';
import { recountDeliveries } from './upkeep/delivery-upkeep.ts';

const offset = '+02:00';

/** Random ones would make indexes of a size that differs from run to run. */
const uuid = `md5($3::integer || ' ' || n)::uuid`;

/** $1 how many, $2 the newest time, $3 how many apps, $4 seconds between two of them. */
const insertEvents = `
  insert into events (uuid, app_id, type, flags, occurred_at, ip, country, client_uid, stream_uid, bot, postbacks_domain, user_agent)
  select ${uuid}, 1 + n % $3::integer, case n % 5 when 0 then 'receive' else 'create' end::request_type, case n % 9 when 0 then 1 else 0 end,
    $2::timestamptz - n * $4::float8 * interval '1 second', '10.0.0.0'::inet + n % 20000, (array['DE', 'US', 'FR', 'IS'])[1 + n % 4], 'u-' || n % 20000,
    case n % 3 when 0 then 'st_1' else '' end, case n % 10 when 0 then 'L1' else '' end, 'd', ''
  from generate_series(1, $1::integer) as n`;

const insertPushes = `
  insert into pushes (app_id, uuid, push_id, push_name, push_message, uid, client_uid, push_campaign_uid, send_at, status, updated_at)
  select 1 + n % $3::integer, ${uuid}, 'p-' || n, '', '', 'u-' || n, 'c-' || n, 'pc-' || n % 40, at, 'sent', at
  from generate_series(1, $1::integer) as n cross join lateral (select $2::timestamptz - n * $4::float8 * interval '1 second' as at) as made`;

const insertConversions = `
  insert into conversions (app_id, uuid, source, client_uid, stream_uid, status_conversion, status, is_send, is_qa, created_at)
  select 1 + n % $3::integer, ${uuid}, '', 'c-' || n, 'st_' || n % 5, 'install', (array['success', 'sale'])[1 + n % 2], true, false,
    $2::timestamptz - n * $4::float8 * interval '1 second'
  from generate_series(1, $1::integer) as n`;

const secondsOfDay = 86_400;
type Load = { rows: number; apps: number; days: number };

/** Samples of statistics, one after the other: rows are loaded, or null: what is loaded is analyzed. */
const samples: Readonly<Record<string, Load | null>> = {
  'loaded, without statistics': { rows: 8000, apps: 60, days: 20 },
  'with statistics': null,
  'with many more rows of one app since then': { rows: 5000, apps: 1, days: 1 },
  'with statistics of these, too': null,
};

const { databases } = await createTestDatabase();
const { ops } = databases.pools;

async function take(sample: Load | null): Promise<void> {
  if (sample === null) {
    await ops.query('analyze');
    return;
  }
  const { rows, apps, days } = sample;
  const values = [rows, new Date(testEpoch / 1000), apps, (days * secondsOfDay) / rows];
  await inTransaction(ops, async (client) => {
    for (const text of [insertEvents, insertPushes, insertConversions]) await client.query(text, values);
    await recountDays(client, { offset });
    await recountDeliveries(client, offset);
  });
}

/** Statements about the session, and those without a plan. */
const isWithoutPlan = /^select set_config/;

/** Every statement of the reads, by its name. */
async function listStatements(): Promise<Map<string, Statement>> {
  const stores = createTrafficStore({ pools: databases.pools, serverOffset: offset, retentionDays: 90, reading: everyWay });
  await stores.events.insertEvents(fewEvents);
  const takeStatements = recordStatements();
  const statements = new Map<string, Statement>();
  for (const [file, reads] of Object.entries(postgresReads)) {
    for (const [name, read] of Object.entries(reads)) {
      await read(stores);
      const sentStatements = takeStatements().filter(({ text }) => !isWithoutPlan.test(text));
      for (const [index, statement] of sentStatements.entries()) statements.set(`${file}: ${name}, ${index + 1}`, statement);
    }
  }
  return statements;
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] };

/** Tables that do not grow with traffic, or by few rows a day. */
const small = /^(?:apps|streams|request_batches|traffic_all_\w+)$/;

type Table = { table: string; index: string | null };

/** The tables and indexes that a plan reads, each partition as the whole table. */
function listAccesses(plan: Plan, tables: ReadonlyMap<string, Table>): string[] {
  const { 'Node Type': type, 'Relation Name': relation, 'Index Name': index, Plans: children = [] } = plan;
  const access = tables.get(index ?? (type === 'Seq Scan' ? relation : undefined) ?? '');
  const own = access === undefined || small.test(access.table) ? [] : [access.index ?? `all ${access.table}`];
  return [...own, ...children.flatMap((child) => listAccesses(child, tables))];
}

/** Tables and indexes by name, with the names of the whole for partitions and their indexes. */
async function listTables(): Promise<Map<string, Table>> {
  const { rows } = await ops.query<Table & { name: string }>(`
    select own.relname as name, coalesce(indexed.relname, whole.relname) as table, case when own.relkind in ('i', 'I') then whole.relname end as index
    from pg_class as own
    left join pg_inherits on inhrelid = own.oid
    join pg_class as whole on whole.oid = coalesce(inhparent, own.oid)
    left join pg_index on indexrelid = whole.oid
    left join pg_class as indexed on indexed.oid = indrelid
    where own.relnamespace = 'public'::regnamespace`);
  return new Map(rows.map(({ name, ...table }) => [name, table]));
}

async function shapeOf({ text, values }: Statement, tables: ReadonlyMap<string, Table>): Promise<string> {
  const body = /^copy \((.*)\) to stdout/s.exec(text)?.[1] ?? text;
  const { rows } = await ops.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({ text: `explain (format json) ${body}`, values });
  const accesses = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => listAccesses(plan, tables)));
  return [...new Set(accesses)].toSorted().join(', ') || '-';
}

/** Whether the server is of the version that the console brings along; the test command can be given others. */
async function isBundledVersion(): Promise<boolean> {
  const { rows } = await ops.query<{ major: number }>(`select current_setting('server_version_num')::integer / 10000 as major`);
  return rows[0]?.major === 18;
}

/** Statements that read a table as a whole, each with the table. */
function listWholeReads(text: string): string[] {
  const byStatement = text.split(/^(?=\S)/m);
  return byStatement.flatMap((lines) =>
    [...new Set(lines.match(/\ball \w+(?=,|$)/gm))].map((table) => `${lines.split('\n', 1)[0]}: ${table}`),
  );
}

describe('plans of every committed statement', () => {
  let statements: Map<string, Statement>;
  beforeAll(async () => {
    statements = await listStatements();
    // Otherwise as large as half of the machine's memory.
    await ops.query(`set effective_cache_size = '4GB'`);
  });

  it('[OPS-015] read large tables by the committed indexes, whatever statistics say', async () => {
    const lines = new Map<string, string[]>();
    const shapes = new Map<string, string>();
    for (const [sample, load] of Object.entries(samples)) {
      await take(load);
      const tables = await listTables();
      for (const [name, statement] of statements) {
        const shape = await shapeOf(statement, tables);
        const own = lines.get(name) ?? [name];
        lines.set(name, own);
        if (shapes.get(name) !== shape) own.push(`  ${sample}: ${shape}`);
        shapes.set(name, shape);
      }
    }
    const text = `${[...lines.values()].flat().join('\n')}\n`;
    const file = join(import.meta.dirname, 'sql/plans.txt');
    // Another version may prefer another index, but reads no more of the tables as a whole.
    if (await isBundledVersion()) await expect(text).toMatchFileSnapshot(file);
    else expect(listWholeReads(await readFile(file, 'utf8'))).toEqual(expect.arrayContaining(listWholeReads(text)));
  });
});

import type pg from 'pg';
import { expect, it } from 'vitest';
import { readDeclaredRows } from '../../test/declared-rows.ts';
import { createTestDatabase } from '../../test/test-database.ts';

const { tables, reads, unknownReads } = readDeclaredRows();
const { databases } = await createTestDatabase();
const { ops } = databases.pools;

type StoredColumn = { table: string; column: string; place: string; type: string; isNullable: boolean; isOptional: boolean };
const { rows: storedColumns } = await ops.query<StoredColumn>(
  `select c.relname as "table", a.attname as "column", a.attrelid || '.' || a.attnum as place, t.typname as type,
     not a.attnotnull as "isNullable", not a.attnotnull or a.atthasdef or a.attidentity <> '' as "isOptional"
   from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
);

const kinds: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  cidr: 'string',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  json: 'json',
  jsonb: 'json',
  name: 'string',
  text: 'string',
  timestamptz: 'Date',
};

/** Whether the driver gives values of a type of PostgreSQL as a kind of TypeScript. */
function isOfKind(type: string, kind: string): boolean {
  if (kind === 'unknown') return true;
  const stored = type.startsWith('_') ? `${kinds[type.slice(1)]}[]` : kinds[type];
  return stored === kind || (stored === 'json' && kind.endsWith('[]'));
}

it('[ENT-048] tables.ts has the columns of the database', () => {
  const faults: string[] = [];
  for (const [table, columns] of tables) {
    const stored = new Map(storedColumns.filter((one) => one.table === table).map((one) => [one.column, one]));
    for (const name of columns.keys()) if (!stored.has(name)) faults.push(`${table}.${name} is not stored`);
    for (const [name, { type, isNullable, isOptional }] of stored) {
      const declared = columns.get(name);
      if (declared === undefined) {
        if (!isOptional) faults.push(`${table}.${name} has to be inserted`);
      } else if (
        !isOfKind(type, declared.kind) ||
        (declared.kind !== 'unknown' && declared.isNullable !== isNullable) ||
        (declared.isOptional && !isOptional)
      )
        faults.push(`${table}.${name}: ${JSON.stringify(declared)} is stored as ${JSON.stringify({ type, isNullable, isOptional })}`);
    }
  }
  expect(tables.size).toBeGreaterThan(25);
  expect(faults).toEqual([]);
});

/** Columns that may be null, in statements that leave out rows where they are. */
const presentColumns: ReadonlySet<string> = new Set([
  'demo/demo-store.ts: passwordHash',
  'features/alerts/watched-read-model.ts: at',
  'features/channels/messages-store.ts: at',
  'features/edge/edge-read-model.ts: token_hash',
  'features/roles/sign-in-rules-store.ts: from',
]);

/** Asks the server which columns a statement returns, without running it. */
async function describeStatement(client: pg.PoolClient, text: string): Promise<pg.FieldDef[]> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.FieldDef[]>();
  let fields: pg.FieldDef[] = [];
  client.query({
    submit(connection: pg.Connection) {
      connection.parse({ name: '', text, types: [] }, true);
      connection.describe({ type: 'S' }, true);
      connection.sync();
    },
    handleRowDescription(description: { fields: pg.FieldDef[] }) {
      fields = description.fields;
    },
    handleError: reject,
    handleReadyForQuery: () => resolve(fields),
  });
  return promise;
}

it('[ENT-048] reads return the columns of their row types', async () => {
  const { rows: types } = await ops.query<{ oid: number; typname: string }>('select oid::int, typname from pg_type');
  const typeNames = new Map(types.map(({ oid, typname }) => [oid, typname]));
  const nullable = new Set(storedColumns.filter(({ isNullable }) => isNullable).map(({ place }) => place));
  const faults: string[] = [];
  const client = await ops.connect();
  for (const { file, statement, columns } of reads) {
    // The first start of jobs creates their tables.
    if (statement.includes('jobs.job')) continue;
    const fields = new Map((await describeStatement(client, statement)).map((field) => [field.name, field]));
    for (const [name, { kind, isNullable }] of columns) {
      const field = fields.get(name);
      const type = field && typeNames.get(field.dataTypeID);
      if (field === undefined || type === undefined) faults.push(`${file}: ${name} is not returned`);
      else if (!isOfKind(type, kind)) faults.push(`${file}: ${name} is ${type}, not ${kind}`);
      else if (!isNullable && nullable.has(`${field.tableID}.${field.columnID}`) && !presentColumns.has(`${file}: ${name}`))
        faults.push(`${file}: ${name} may be null`);
    }
  }
  client.release();
  expect(faults).toEqual([]);
  expect(reads.length / (reads.length + unknownReads)).toBeGreaterThan(0.8);
});

import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

export const databaseName = 'directus';

/** The tables of Directus, with the types that it gives to such fields, and where their values come from. */
const tables = {
  events: {
    columns: `id serial, uuid uuid, app_id integer, type varchar(255), occurred_at timestamptz, ip varchar(255), country varchar(255),
      client_uid varchar(255), stream_uid varchar(255), bot varchar(255), postbacks_domain varchar(255), user_agent text,
      body_request json, body_response json, error json, additional_data json`,
    values: `id::integer, uuid, app_id, type::text, occurred_at, host(ip), country, client_uid, stream_uid, bot, postbacks_domain,
      user_agent, body_request, body_response, error, additional_data`,
  },
  apps: {
    columns: `id serial, name varchar(255), bundle varchar(255), domain varchar(255), vertical varchar(255), created_at timestamptz,
      updated_at timestamptz`,
    values: 'id, name, bundle, domain, vertical, created_at, updated_at',
  },
};

/** One index for each kind of work; the console has as many. */
const indexes = [
  'occurred_at desc, id desc',
  'app_id, occurred_at desc, id desc',
  'country, occurred_at desc, id desc',
  'type, id',
  'client_uid, occurred_at desc',
  'ip, occurred_at desc',
];

/** Creates the database of Directus beside that of the console, with the same rows, unless it is there. Gives its address. */
export async function loadDirectus(source: pg.Pool, consoleUrl: string): Promise<string> {
  const address = new URL(consoleUrl);
  address.pathname = databaseName;
  const { rowCount } = await source.query('select from pg_database where datname = $1', [databaseName]);
  if (rowCount !== 0) return address.href;
  await source.query(`create database ${databaseName}`);
  const from = await source.connect();
  const to = new pg.Client({ connectionString: address.href });
  await to.connect();
  try {
    await to.query(`set maintenance_work_mem = '1GB'; set synchronous_commit = off`);
    for (const [table, { columns, values }] of Object.entries(tables)) {
      await to.query(`create table ${table} (${columns})`);
      await pipeline(
        from.query(copyTo(`copy (select ${values} from ${table}) to stdout (format binary)`)),
        to.query(copyFrom(`copy ${table} from stdin (format binary)`)),
      );
      await to.query(`alter table ${table} add primary key (id); select setval('${table}_id_seq', max(id)) from ${table}`);
    }
    for (const index of indexes) await to.query(`create index on events (${index})`);
    await to.query('vacuum analyze');
    await to.query('checkpoint');
  } finally {
    await to.end();
    from.release();
  }
  return address.href;
}

import { execFileSync } from 'node:child_process';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sendSchedule } from '@switchyard/contract/schedules';
import { demoFiles } from '@switchyard/demo/demo-files';
import { hoursOf, planHistory } from '@switchyard/demo/simulator-history';
import type pg from 'pg';
import { packagedRegistry } from '../../packages/api/src/features/asns/load-registry.ts';
import { countRows } from '../../packages/api/test/count-rows.ts';
import { goodClaims, startGoogleProvider, trustIn } from '../../packages/api/test/google-provider.ts';
import { startMailServer } from '../../packages/api/test/mail-server.ts';
import { startMessageReceiver } from '../../packages/api/test/message-receiver.ts';
import { callEndpoint as call } from '../console/call-endpoint.ts';
import { startConsole } from '../console/console-server.ts';
import { freePort } from '../console/free-port.ts';
import { beginSignIns, fillAccounts, signInAs } from './fill-accounts.ts';
import { endIncidents, fillAlerts } from './fill-alerts.ts';
import { fillApps, fillBlocks, fillTraffic, handInHours } from './fill-apps.ts';
import { fillReports } from './fill-reports.ts';
import { until } from './until.ts';

const program = join(import.meta.dirname, '../../packages/api/bin/switchyard');
const adminPassword = 'Upgrade-Admin-1';
/** Few enough that all of them fit into a dump. */
const demo = { seed: 'dump', days: 2, events: 75 } as const;
const shortRetention = { EVENT_RETENTION_DAYS: '7' };

type Product = { databaseUrl: string; folder: string; client: pg.Client };

/** Uses this version on an empty database until it has written rows into every table: each through the console or a command of the product. */
export async function useProduct({ databaseUrl, folder, client }: Product): Promise<void> {
  const [mail, receiver, google] = await Promise.all([startMailServer(), startMessageReceiver(), startGoogleProvider()]);
  const port = await freePort();
  // Passkeys belong to the name of a host, not to its address.
  const url = `http://localhost:${port}`;
  const runs = createRuns(client, {
    ...trustIn(google),
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'data'),
    SECRET_KEY: '0123456789abcdef0123456789abcdef0123',
    NODE_ENV: 'production',
    DEMO: '1',
    PORT: String(port),
    APP_URL: url,
    ADMIN_EMAIL: goodClaims.email,
    ADMIN_PASSWORD: adminPassword,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'console@example.com',
    CHANNEL_NETWORKS: '127.0.0.1',
    TRUSTED_PROXIES: '127.0.0.1,::1',
  });
  const { withConsole, run, waitFor } = runs;
  try {
    await loadSmallDemo(join(folder, 'data'), runs);
    // A start loads it in the background, and on a busy machine not before the next one.
    run({}, 'asns');
    const used = await withConsole({}, async () => {
      const admin = await signInAs({ url }, goodClaims.email, adminPassword);
      const people = await fillAccounts(admin, mail);
      const server = await fillApps(admin);
      await fillTraffic(admin, server, people.buyerEmail);
      await fillBlocks(admin, server);
      const alerts = await fillAlerts({ admin, leaver: people.leaver, receiver }, server);
      const schedule = await fillReports(admin, people, alerts.channelIds);
      await waitFor('a mailed report', `exists (select from schedule_mails where state = 'sent')`);
      mail.state.refuses = 550;
      await call(people.mate, sendSchedule, { params: { id: schedule.id } });
      await waitFor('a report that is given up', `exists (select from schedule_mails where state = 'failed')`);
      const states = `select distinct state from channel_messages where channel_id > 1 and state in ('sent', 'pending', 'failed')`;
      await waitFor('messages that wait and are given up', `(select count(*) from (${states}) as found) = 3`);
      await waitFor('an incident to end', `exists (select from incidents where rule_name = 'Ended')`);
      await endIncidents(admin, alerts);
      await waitFor('an ended incident', 'exists (select from incidents where resolved_at is not null)');
      return { admin, people, schedule, server };
    });
    const { admin, people, server } = used;
    await writeSmallRegistry(folder, client);
    run({}, 'asns', folder);
    await moveEvents(folder, runs, () => handInHours(admin, server));
    await withConsole(shortRetention, async () => {
      mail.state.refuses = 451;
      await call(people.mate, sendSchedule, { params: { id: used.schedule.id } });
      await handInHours(admin, server);
      await beginSignIns(admin, people, google);
      let empty: string[] = [];
      await until(
        () => `rows in ${empty.join(', ')}`,
        async () => ((empty = await emptyTables(client)).length === 0 ? true : null),
      );
    });
  } finally {
    await Promise.all([mail.stop(), receiver.stop(), google.stop()]);
  }
}

type Settings = Readonly<Record<string, string>>;
type Runs = ReturnType<typeof createRuns>;

/** Runs consoles and commands of the product with settings, one after the other. */
function createRuns(client: pg.Client, settings: Settings) {
  const waitFor = (what: string, condition: string) =>
    until(what, async () => (await client.query(`select where ${condition}`)).rows[0] ?? null);
  const others = 'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  return {
    waitFor,
    run: (more: Settings, ...args: string[]): void =>
      void execFileSync(program, args, { env: { ...process.env, ...settings, ...more }, stdio: ['ignore', 'ignore', 'inherit'] }),
    withConsole: async <T>(more: Settings, work: () => Promise<T>): Promise<T> => {
      const server = await startConsole({ ...settings, ...more });
      try {
        return await work();
      } finally {
        await server.stop();
        // A cut off statement keeps its locks until its backend notices, and the next console would not load the registry meanwhile.
        await waitFor('the end of connections', `not exists (${others})`);
      }
    },
  };
}

/** Loads the demo with a small past, and ends its simulator. */
async function loadSmallDemo(dataDir: string, { withConsole }: Runs): Promise<void> {
  await withConsole({}, async () => undefined);
  const files = demoFiles(dataDir);
  const installation = await files.readInstallation();
  if (installation === null) throw new Error('The demo was not loaded');
  const small = { ...installation, ...demo };
  await files.writeInstallation(small);
  const steps = 2 * hoursOf(planHistory(small)).length;
  const isLoaded = async () => ((await files.readHoursDone(small.seed)) < steps ? null : true);
  await withConsole({}, () => until("the demo's past", isLoaded));
  // The simulator ends at its first call, because its tokens no longer count.
  await files.writeInstallation({ ...small, servers: small.servers.map(({ name }) => ({ name, token: 'taken' })) });
}

/** Drops old events of PostgreSQL, moves the others to ClickHouse, which drops what they sum up to, and moves them back. */
async function moveEvents(folder: string, { withConsole, run, waitFor }: Runs, handInEvents: () => Promise<void>): Promise<void> {
  await withConsole(shortRetention, () =>
    waitFor('the end of old events', `not exists (select from events where occurred_at < now() - interval '20 days')`),
  );
  const settings = { ...shortRetention, EVENT_STORE_URL: `chdb:${join(folder, 'events')}` };
  run(settings, 'events', 'copy');
  run(settings, 'events', 'copy', '--switch');
  await withConsole(settings, async () => {
    await handInEvents();
    await waitFor('dropped weeks of ClickHouse', `exists (select from event_weeks where state = 'dropped')`);
  });
  run(settings, 'events', 'copy', '--back');
}

/** Tables without a row. */
export async function emptyTables(client: pg.Client): Promise<string[]> {
  return Object.entries(await countRows(client)).flatMap(([table, rows]) => (rows === 0 ? table : []));
}

/** Writes the prefixes of systems that events name or that are banned into a folder, as files that the console loads. */
async function writeSmallRegistry(folder: string, client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ code: string }>(
    `select distinct asn as code from events union select code::text from asns where is_ban_create`,
  );
  const named = new Set(rows.map(({ code }) => code));
  for (const [at, path] of packagedRegistry().paths.entries()) {
    const missing = new Set(named);
    let text = '';
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const [, , code = ''] = line.split(',');
      if (missing.delete(code)) text += `${line}\n`;
    }
    writeFileSync(join(folder, at === 0 ? 'asn-ipv4.csv' : 'asn-ipv6.csv'), text);
  }
}

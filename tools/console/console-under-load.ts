import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabases } from '../../packages/api/src/database/connect.ts';
import type { ConsoleProcesses, StartedConsole } from '../../packages/api/test/console-process.ts';

/** A console that people and a traffic server write to. */
export type LoadedConsole = {
  url: string;
  /** Headers of the super admin and of the traffic server. */
  staff: Record<string, string>;
  server: Record<string, string>;
  process: StartedConsole;
};

/** Password of the first administrator, as `ADMIN_PASSWORD` sets it. */
export const adminPassword = 'Fault-Tests-0nly';
const serverToken = 'fault-tests-token-of-a-traffic-server-0001';
const json = { 'content-type': 'application/json' };

/** Starts a console on an empty folder, signs its admin in and gives a traffic server its token. */
export async function startConsole(consoles: ConsoleProcesses, env: Readonly<Record<string, string>> = {}): Promise<LoadedConsole> {
  const startedConsole = await consoles.start({ ADMIN_PASSWORD: adminPassword, ...env });
  return { ...(await prepareCallers(startedConsole.url)), url: startedConsole.url, process: startedConsole };
}

/** Signs the admin in whose password is `adminPassword`, and gives a traffic server its token. */
export async function prepareCallers(url: string): Promise<Pick<LoadedConsole, 'staff' | 'server'>> {
  const signedIn = await send(url, 'sanctum/login', {}, { email: 'admin@switchyard.local', password: adminPassword });
  const token: unknown = JSON.parse(signedIn.text)?.data?.token?.accessToken;
  if (typeof token !== 'string') throw new Error(`nobody could sign in: ${signedIn.text}`);
  const staff = { authorization: `Bearer ${token}` };
  const response = await send(url, 'servers', staff, { name: 'Faults', url: 'https://edge.example', token: serverToken });
  if (response.status !== 201) throw new Error(`no traffic server: ${response.text}`);
  return { staff, server: { authorization: `Bearer ${serverToken}` } };
}

/** Starts the console again on the folder and port that it had. */
export async function startAgain(consoles: ConsoleProcesses, { url }: Pick<LoadedConsole, 'url'>): Promise<StartedConsole> {
  return consoles.start({ ADMIN_PASSWORD: adminPassword, PORT: new URL(url).port });
}

export type Answer = { status: number; text: string; milliseconds: number };

/** One call; by default a POST of its body, and without a body a GET. Rejects when no whole answer came. */
export async function send(
  url: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const began = performance.now();
  const answer = await fetch(`${url}${path.startsWith('/') ? path : `/api/${path}`}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : json) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, milliseconds: performance.now() - began };
}

/** Acknowledged writes, responses that no fault excuses, and the milliseconds of the slowest batch with all its repetitions. */
export type WrittenRows = { apps: string[]; events: string[]; strange: string[]; slowestBatch: number };

/** From the console, or from a proxy whose console died: nothing is known of the write. */
const unansweredStatuses = new Set([502, 503, 504]);

/**
 * Creates apps and reports events from many writers until stopped. A batch without an answer is sent again unchanged, as traffic
 * servers do. An app without an answer is abandoned.
 */
export function startWriting(
  target: Pick<LoadedConsole, 'url' | 'staff' | 'server'>,
  { writers, appId }: { writers: number; appId: number },
): { writtenRows: WrittenRows; stop: () => Promise<void> } {
  const writtenRows: WrittenRows = { apps: [], events: [], strange: [], slowestBatch: 0 };
  const life = { goesOn: true };

  async function attempt(path: string, headers: Record<string, string>, body: unknown): Promise<number | null> {
    const answer = await send(target.url, path, headers, body).catch(() => null);
    if (answer === null || unansweredStatuses.has(answer.status)) {
      await wait(20);
      return null;
    }
    if (answer.status >= 300) writtenRows.strange.push(`${path}: ${answer.status} ${answer.text}`);
    return answer.status;
  }

  async function createApps(): Promise<void> {
    while (life.goesOn) {
      const tag = randomUUID();
      const name = `App ${tag}`;
      const form = { name, bundle: `com.fault.${tag}`, domain: `${tag}.example`, vertical: 'bet' };
      if ((await attempt('apps', target.staff, form)) === 201) writtenRows.apps.push(name);
    }
  }

  async function handIn(): Promise<void> {
    while (life.goesOn) {
      const ids = Array.from({ length: 20 }, () => randomUUID());
      const date = new Date().toISOString();
      const events = ids.map((id) => ({ id, app_id: appId, type: 'create', date, ip: '203.0.113.9' }));
      const began = performance.now();
      const attempted = { answer: await attempt('ingest/events', target.server, { events }) };
      while (attempted.answer === null) attempted.answer = await attempt('ingest/events', target.server, { events });
      if (attempted.answer === 200) writtenRows.events.push(...ids);
      writtenRows.slowestBatch = Math.max(writtenRows.slowestBatch, performance.now() - began);
    }
  }

  const working = Array.from({ length: writers }, (_, at) => (at % 2 === 0 ? createApps() : handIn()));
  return {
    writtenRows,
    async stop() {
      life.goesOn = false;
      await Promise.all(working);
    },
  };
}

/** Acknowledged writes that the database lacks, writes that are incomplete, and wrong counts; all 0 when all is well. */
export async function missingFrom(databaseUrl: string, writtenRows: WrittenRows): Promise<Record<string, number>> {
  const databases = openDatabases({ url: databaseUrl, onError: () => undefined });
  const query = async (text: string, values: unknown[] = []): Promise<number> => {
    const { rows } = await databases.pools.exports.query<{ count: number }>(text, values);
    return rows[0]?.count ?? Number.NaN;
  };
  try {
    return {
      lostApps: await query(
        `select count(*) from unnest($1::text[]) as sent(name) where not exists (select from apps where apps.name = sent.name)`,
        [writtenRows.apps],
      ),
      appsWithoutTrail: await query(
        `select count(*) from apps where not exists
           (select from audit_entries a where a.entity = 'app' and a.action = 'create' and a.entity_id = apps.id::text)`,
      ),
      trailWithoutApp: await query(
        `select count(*) from audit_entries a where a.entity = 'app' and a.action = 'create' and not exists (select from apps where apps.id::text = a.entity_id)`,
      ),
      lostEvents: await query(
        `select count(*) from unnest($1::uuid[]) as sent(id) where not exists (select from events where events.uuid = sent.id)`,
        [writtenRows.events],
      ),
      doubleEvents: await query(`select count(*) - count(distinct uuid) as count from events`),
      wrongTotals: await query(
        `select abs((select count(*) from events) - (select coalesce(sum(requests), 0) from traffic_totals))::bigint as count`,
      ),
      wrongDays: await query(
        `select abs((select count(*) from events) - (select coalesce(sum(requests), 0) from traffic_days))::bigint as count`,
      ),
    };
  } finally {
    await databases.close();
  }
}

/** Every figure of `missingFrom` when nothing is lost. */
export const nothingMissing = {
  lostApps: 0,
  appsWithoutTrail: 0,
  trailWithoutApp: 0,
  lostEvents: 0,
  doubleEvents: 0,
  wrongTotals: 0,
  wrongDays: 0,
};

/** The app that events are handed in for. */
export async function createApp({ url, staff }: Pick<LoadedConsole, 'url' | 'staff'>): Promise<number> {
  const form = { name: 'App of faults', bundle: 'com.fault.first', domain: 'fault-first.example', vertical: 'bet' };
  const response = await send(url, 'apps', staff, form);
  const id: unknown = JSON.parse(response.text)?.data?.id;
  if (typeof id !== 'number') throw new Error(`no app: ${response.text}`);
  return id;
}

/** Hands in many events of one app, so that there is something to download. */
export async function handInMany(
  { url, server }: Pick<LoadedConsole, 'url' | 'server'>,
  { appId, rows }: { appId: number; rows: number },
): Promise<void> {
  const date = new Date().toISOString();
  for (let remaining = rows; remaining > 0; remaining -= 5000) {
    const events = Array.from({ length: Math.min(remaining, 5000) }, () => ({
      app_id: appId,
      type: 'create',
      date,
      ip: '203.0.113.9',
      user_agent: 'Mozilla/5.0 '.repeat(20),
    }));
    const answer = await send(url, 'ingest/events', server, { events });
    if (answer.status !== 200) throw new Error(`not handed in: ${answer.text}`);
  }
}

/** Prints a figure that a test saw. */
export function tell(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

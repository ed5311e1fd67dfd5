import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWebIfStale } from '../../packages/api/src/cli/build-web.ts';
import { accounts, cataloguePassword, password, type AccountName } from './accounts.ts';
import { startConsole, type ConsoleServer } from './console-server.ts';
import { withRunDatabase } from './run-database.ts';
import { writeRunState, type StoredSession } from './run-state.ts';

async function signIn(url: string, name: AccountName): Promise<StoredSession> {
  const answer = await fetch(`${url}/api/sanctum/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: accounts[name].email, password: name === 'catalogue' ? cataloguePassword : password }),
  });
  const body: { data: StoredSession; message?: string } = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(`${name} could not sign in: ${body.message ?? answer.status}`);
  return body.data;
}

/** Takes the tokens of the demo's servers from its simulator, which then ends at its first call; gives one of them. */
async function takeServerToken(dataDir: string): Promise<string> {
  const file = join(dataDir, 'demo', 'installation.json');
  const installation: { servers: { name: string; token: string }[] } = JSON.parse(await readFile(file, 'utf8'));
  const token = installation.servers[0]?.token;
  if (token === undefined) throw new Error('The demo has no traffic server.');
  const servers = installation.servers.map(({ name }) => ({ name, token: 'taken' }));
  await writeFile(file, JSON.stringify({ ...installation, servers }));
  return token;
}

/** All tests sign in from this address, more often than the 30 times a minute of one address. Limits of accounts stay as they are. */
const sharedAddress = `
  create function count_shared_address_once() returns trigger language plpgsql as $$
  begin
    new.attempts := least(new.attempts, 1);
    return new;
  end $$;
  create trigger count_shared_address_once before insert or update on sign_in_attempts for each row
    when (new.key ~ '^[a-z_-]+:127[.]0[.]0[.]1$') execute function count_shared_address_once();`;

async function confirmIdentity(url: string, { token }: StoredSession, typedPassword: string): Promise<void> {
  const headers = { authorization: `Bearer ${token.accessToken}`, 'content-type': 'application/json' };
  await fetch(`${url}/api/sanctum/reauthenticate`, { method: 'POST', headers, body: JSON.stringify({ password: typedPassword }) }).catch(
    () => undefined,
  );
}

async function createCatalogueAccount(url: string, { token }: StoredSession): Promise<void> {
  const headers = { authorization: `Bearer ${token.accessToken}`, 'content-type': 'application/json' };
  const list = await fetch(`${url}/api/apps?status=all&limit=200`, { headers });
  const { data }: { data: { id: number }[] } = JSON.parse(await list.text());
  const appIds = data.map(({ id }) => id);
  const body = JSON.stringify({ ...accounts.catalogue, password: cataloguePassword, roles: ['Super Admin'], appIds });
  const answer = await fetch(`${url}/api/users`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`The catalogue account was refused: ${await answer.text()}`);
}

/**
 * Builds the console, starts the real server with data of its own and signs the demo's accounts in once, so that the tests stay
 * under the sign-in limit. The first start loads the demo. The second runs without its traffic simulator, so that only the tests
 * change data. With EVENT_STORE=clickhouse its events are in the embedded ClickHouse. Returns the function that stops everything.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  await buildWebIfStale();
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-journeys-'));
  const environment = {
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: 'Journeys-Admin-1',
    SERVER_UTC_OFFSET: '+02:00',
    NODE_ENV: 'test',
    DEMO: '1',
    // Receivers of tests are on this machine.
    CHANNEL_NETWORKS: '127.0.0.1',
    ...(process.env['EVENT_STORE'] === 'clickhouse' ? { EVENT_STORE_URL: `chdb:${join(dataDir, 'events')}` } : {}),
  };
  const running: ConsoleServer[] = [];
  const start = async (): Promise<ConsoleServer> => {
    const server = await startConsole(environment);
    running.push(server);
    return server;
  };
  let renewal: ReturnType<typeof setInterval> | undefined;
  const takeDown = async (): Promise<void> => {
    clearInterval(renewal);
    await Promise.all(running.map((server) => server.stop()));
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await (await start()).stop();
    const serverToken = await takeServerToken(dataDir);
    const { url } = await start();
    await withRunDatabase(dataDir, async (client) => client.query(sharedAddress));
    const superSession = await signIn(url, 'super');
    await createCatalogueAccount(url, superSession);
    const sessions = {
      super: superSession,
      catalogue: await signIn(url, 'catalogue'),
      manager: await signIn(url, 'manager'),
      reviewer: await signIn(url, 'reviewer'),
      restricted: await signIn(url, 'restricted'),
      buyer: await signIn(url, 'buyer'),
    };
    writeRunState({ url, serverToken, dataDir, sessions });
    // Sensitive calls need a sign-in of the last 15 minutes, and a run may take longer.
    renewal = setInterval(() => {
      for (const [name, session] of Object.entries(sessions))
        void confirmIdentity(url, session, name === 'catalogue' ? cataloguePassword : password);
    }, 600_000);
  } catch (error) {
    await takeDown();
    throw error;
  }
  return takeDown;
}

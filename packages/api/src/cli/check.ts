import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectCluster } from '@switchyard/embedded-postgres/cluster';
import { fileReason, probeFolder } from '@switchyard/embedded-postgres/data-folder';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { dayOf, fromDate } from '@switchyard/contract/dates';
import { verifyMailServer } from '../adapters/mailer.ts';
import { checkDump, probeDump } from '../backup/run-tool.ts';
import { assertDurability, type Databases, describeClockOffset, openDatabases } from '../database/connect.ts';
import type { MigrationState } from '@switchyard/traffic-store/migration-state';
import { readMigrationState } from '../database/migrate.ts';
import { type Environment, inspectSettings, processEnvironment, type Settings, secretFileVariables, variableDefaults } from '../env.ts';
import { reasonOf } from '@switchyard/traffic-store/event-store-unavailable';
import { describeUnheardRules } from '../features/alerts/unheard-rules-lookup.ts';
import { describeInvalidDomains } from '../features/apps/invalid-domains-lookup.ts';
import { describeMissingKeyFile, findSecretKeys, isGuessableKey } from '../secret-keys/secret-key.ts';
import { holdKeys, keyName } from '../secret-keys/held-keys.ts';
import { matchKeys } from '../secret-keys/match-keys.ts';
import { findKeyState } from '../secret-keys/secret-keys-store.ts';
import { openEngine } from '@switchyard/traffic-store/clickhouse/engine-client';
import { readEngineState } from '@switchyard/traffic-store/clickhouse/migrate-engine';
import { newParameters } from '@switchyard/traffic-store/clickhouse/statement';
import { isEngineInstalled } from '@switchyard/traffic-store/clickhouse/start-engine';
import { describeWrongHome } from '@switchyard/traffic-store/event-home';
import { expectedProblem } from './expected-problem.ts';
import { describeStorage, readDatabaseStorage, readEngineStorage } from './estimate-storage.ts';
import { describeUnknownNames } from './unknown-names.ts';
import { tell } from './with-database.ts';

/** `ok` and `warning` do not prevent a start. */
type Finding = { kind: 'ok' | 'warning' | 'problem'; line: string };

const ok = (line: string): Finding => ({ kind: 'ok', line });
const warning = (line: string): Finding => ({ kind: 'warning', line });
const problem = (line: string): Finding => ({ kind: 'problem', line });

/**
 * Validates everything that a start needs, without starting or changing anything, and prints a line for each finding. The exit
 * code is 1 if there is a problem. `namesOfFile`: names that a file of settings sets.
 */
export async function check(namesOfFile: readonly string[]): Promise<void> {
  const env = processEnvironment();
  const { settings, problems } = inspectSettings(env);
  const names = {
    knownNames: [...Object.keys(variableDefaults), ...secretFileVariables],
    environment: Object.keys(env),
    ofFile: namesOfFile,
  };
  // Parts whose own settings are invalid would examine the default instead.
  const checkIf = async (own: readonly string[], part: () => Promise<Finding[]>): Promise<Finding[]> =>
    problems.some(({ name }) => own.includes(name)) ? [] : part();
  const parts = [
    checkIf(['DATA_DIR', 'LOG_DIR', 'APP_LOG_DIR'], () => checkFolders(settings)),
    checkIf(['SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'REQUEST_KEY'], () => checkKeys(settings)),
    checkIf(['DATABASE_URL', 'EVENT_STORE_URL'], () => checkDatabase(settings, env)),
    checkIf(['EVENT_STORE_URL', 'EVENT_STORE_CLUSTER'], () => checkEventStore(settings)),
    checkIf(['SMTP_URL', 'MAIL_FROM'], () => checkMail(settings)),
  ];
  const findings = [
    ...problems.map(({ name, message }) => problem(`${name}: ${message}`)),
    ...describeUnknownNames(names).map(warning),
    ...(problems.length === 0 ? [ok('Settings: valid')] : []),
    ...(await Promise.all(parts)).flat(),
  ];
  for (const { kind, line } of findings) tell(`${`${kind}:`.padEnd(9)}${line}`);
  if (findings.some(({ kind }) => kind === 'problem')) process.exitCode = 1;
}

async function checkFolders({ dataDir, logs, eventStore }: Settings): Promise<Finding[]> {
  const folders = [
    ['DATA_DIR', dataDir],
    ['LOG_DIR', logs.consoleDir],
    ...(eventStore.kind === 'chdb' ? [['EVENT_STORE_URL', eventStore.folder] as const] : []),
  ] as const;
  const findings = folders.map(async ([name, folder]) => {
    const failure = await probeFolder(folder).then(() => null, fileReason);
    return failure === null ? ok(`${name} ${folder}: writable`) : problem(`${name} ${folder}: cannot be written (${failure})`);
  });
  // Another service writes this folder, later maybe.
  const isReadable =
    !existsSync(logs.appDir) ||
    (await access(logs.appDir, constants.R_OK | constants.X_OK).then(
      () => true,
      () => false,
    ));
  return [...(await Promise.all(findings)), ...(isReadable ? [] : [problem(`APP_LOG_DIR ${logs.appDir}: cannot be read`)])];
}

async function checkKeys({ secrets, dataDir, databaseUrl }: Settings): Promise<Finding[]> {
  const guessable = Object.entries({ SECRET_KEY: secrets.key, REQUEST_KEY: secrets.requestKey }).flatMap(([name, key]) =>
    key !== null && isGuessableKey(key) ? [warning(`${name}: easy to guess (replace it, see docs/data-protection.md)`)] : [],
  );
  if (secrets.key !== null || databaseUrl !== null) return guessable;
  const foundKeys = await findSecretKeys({ secrets, dataDir }).catch((error: unknown) => {
    if (error instanceof StartupError) return error;
    throw error;
  });
  if (foundKeys instanceof StartupError) return [...guessable, problem(foundKeys.message)];
  if (foundKeys !== null) return [...guessable, ok('SECRET_KEY: stored in DATA_DIR')];
  const hasDatabase = existsSync(join(dataDir, 'postgres'));
  return [...guessable, hasDatabase ? problem(describeMissingKeyFile(dataDir)) : ok('SECRET_KEY: generated by the first start')];
}

/** Compares the keys of the settings with those of the database. */
async function matchStoredKeys({ secrets: { key, previousKey } }: Settings, { opsDb }: Databases): Promise<Finding[]> {
  // Reported as a setting that is missing or invalid.
  if (key === null) return [];
  const keys = holdKeys({ key, previous: previousKey });
  const match = matchKeys(await findKeyState(opsDb), keys);
  if (typeof match === 'string') return [problem(match)];
  const { current, since, notice } = match;
  const use = since === null ? 'the first start stores its fingerprint' : `in use since ${dayOf(fromDate(since), '+00:00')}`;
  return [ok(`SECRET_KEY: ${keyName(current.fingerprint)}, ${use}`), ...(notice === null ? [] : [warning(notice)])];
}

async function checkDatabase(settings: Settings, env: Environment): Promise<Finding[]> {
  const { databaseUrl, dataDir, eventStore } = settings;
  if (databaseUrl === null) return checkCluster(dataDir);
  const databases = openDatabases({ url: databaseUrl, onError: () => undefined });
  try {
    const server = await assertDurability(databases).then(
      async ({ version }) => [ok(`Database: PostgreSQL ${version}`), ...(await checkBackup(databaseUrl, version, env))],
      unsoundServer,
    );
    const state = await readMigrationState(databases.pools.ops);
    const clockOffset = await describeClockOffset(databases, () => new Date());
    // Before the first migrations there is no table to ask.
    const configuredHome = eventStore.kind === 'postgres' ? 'postgres' : 'clickhouse';
    const wrongHome = state.isComplete ? await describeWrongHome(databases.pools.ops, configuredHome) : null;
    return [
      ...server,
      migrationFinding('Database', state),
      ...(await matchStoredKeys(settings, databases)),
      ...(wrongHome === null ? [] : [problem(wrongHome)]),
      ...(clockOffset === null ? [] : [warning(clockOffset)]),
      ...((await foldsLetters(databases)) ? [] : [warning(asciiOnly)]),
      ...(state.isComplete && eventStore.kind === 'postgres'
        ? [ok(`Storage: ${describeStorage(await readDatabaseStorage(databases), settings.eventRetentionDays)}`)]
        : []),
      ...(state.pending.length === 0 ? await describeStoredProblems(databases, settings.appUrl) : []).map(warning),
    ];
  } catch (error) {
    return [problem(expectedProblem(error) ?? `Database: cannot be examined (${reasonOf(error)})`)];
  } finally {
    await databases.close();
  }
}

async function describeStoredProblems({ opsDb }: Databases, appUrl: string): Promise<string[]> {
  return [...(await describeInvalidDomains(opsDb, appUrl)), ...(await describeUnheardRules(opsDb, new Date()))];
}

const asciiOnly =
  'Database: lower() changes A to Z only, so searches tell other capital letters apart (create the database with --locale C.UTF-8)';

/** Whether searches find letters of all alphabets in any case, which depends on the locale of the database. */
async function foldsLetters({ pools }: Databases): Promise<boolean> {
  const { rows } = await pools.ops.query<{ folds: boolean }>(`select lower('ÄЖΩ') = 'äжω' as folds`);
  return rows[0]?.folds === true;
}

function unsoundServer(error: unknown): Finding[] {
  if (!(error instanceof StartupError)) throw error;
  return [problem(error.message)];
}

/** A console starts without pg_dump, but cannot be backed up. */
async function checkBackup(databaseUrl: string, serverVersion: string, env: Environment): Promise<Finding[]> {
  try {
    const limitation = await checkDump(Number.parseInt(serverVersion), env);
    await probeDump(databaseUrl, env);
    return [limitation === null ? ok('Backup: pg_dump fits this server') : warning(`Backup: ${limitation}`)];
  } catch (error) {
    return [warning(`Backup: ${reasonOf(error)}`)];
  }
}

async function checkCluster(dataDir: string): Promise<Finding[]> {
  try {
    const state = await inspectCluster(join(dataDir, 'postgres'));
    return [ok(state === 'absent' ? 'Database: created by the first start' : 'Database: embedded, examined when it starts')];
  } catch (error) {
    return [problem(expectedProblem(error) ?? `Database: cannot be examined (${reasonOf(error)})`)];
  }
}

async function checkEventStore({ eventStore, eventRetentionDays }: Settings): Promise<Finding[]> {
  if (eventStore.kind === 'postgres') return [];
  if (eventStore.kind === 'chdb') {
    if (isEngineInstalled()) return [ok('Event store: embedded, examined when it starts')];
    return [problem('EVENT_STORE_URL: the embedded ClickHouse is not installed (run npm ci --prefix embedded-clickhouse)')];
  }
  const engine = openEngine(eventStore);
  try {
    const [version] = await engine.lines({ text: 'select version()', parameters: newParameters() });
    const state = await readEngineState(engine);
    return [
      ok(`Event store: ClickHouse ${version}`),
      migrationFinding('Event store', state),
      ...(state.isComplete
        ? [ok(`Storage of events: ${describeStorage(await readEngineStorage(engine, eventStore.cluster), eventRetentionDays)}`)]
        : []),
    ];
  } catch (error) {
    return [problem(`EVENT_STORE_URL: ClickHouse cannot be used (${reasonOf(error)})`)];
  } finally {
    await engine.close();
  }
}

async function checkMail({ mail }: Settings): Promise<Finding[]> {
  if (mail === null) return [];
  return verifyMailServer(mail).then(
    () => [ok('Mail: the server takes the connection and the credentials')],
    (error: unknown) => [problem(`SMTP_URL: the mail server cannot be used (${reasonOf(error)})`)],
  );
}

function migrationFinding(subject: string, { problem: line, isNewer, pending }: MigrationState): Finding {
  if (line !== null) return problem(line);
  if (isNewer) return warning(`${subject}: migrated by a newer version, beside which this one may run`);
  return pending.length === 0
    ? ok(`${subject}: migrations complete`)
    : warning(`${subject}: migrations pending: ${pending.length} (the next start runs them)`);
}

import type { PasswordHash } from '../adapters/password-hash.ts';
import type { Databases } from '../database/connect.ts';
import { packagedRegistry } from '../features/asns/load-registry.ts';
import { generatePassword } from '../features/sign-in/first-admin-commands.ts';
import type { SealSecret } from '../secret-keys/seal-secret.ts';
import { demoPassword } from '@switchyard/demo/demo-accounts';
import { demoFiles } from '@switchyard/demo/demo-files';
import { ensureInbox, findDemoSignIns, inDemoTransaction, lockDemoAccounts, replaceDemoPassword, type DemoSignIn } from './demo-store.ts';
import { loadDemo } from './load-demo.ts';
import { writeDemoLogs } from '@switchyard/demo/write-demo-logs';
import { startSimulator, type Simulator, type SimulatorListener } from '@switchyard/demo/start-simulator';

/** How to sign in to the demo. */
export type DemoAccess = {
  emails: readonly string[];
  /** Null: it was generated and printed by an earlier start, or somebody changed it. */
  password: string | null;
  /** Whether the password was generated just now and is shown only once. */
  isGenerated: boolean;
};

/** The demo of this installation. */
export type Demo = DemoAccess & {
  /**
   * Starts the traffic; `url` is where the API listens, without a slash at its end. Null: the demo has no servers left, or
   * another process starts it.
   */
  startSimulator: ((url: string) => Simulator) | null;
};

type Deps = SimulatorListener & {
  /** Whether only this machine reaches the console. Elsewhere the demo's public password is replaced by a generated one. */
  isLocal: boolean;
  dataDir: string;
  /** Whether this is the one of all processes that loads the demo and simulates its traffic. */
  ownsDemo: boolean;
  /** Where a new demo's logs go. */
  logs: { consoleDir: string; appDir: string };
  db: Databases['db'];
  sealSecret: SealSecret;
  passwords: PasswordHash;
  now: () => Date;
  utcOffset: string;
  /** Called when a demo is being loaded; the function that it returns gets the outcome. */
  onStep: (name: string) => (outcome: string) => void;
};

/**
 * Loads the demo when the database holds nothing yet, and gives what an installation with a demo needs; null where the database holds
 * other things. Call it after the first admin was made.
 */
export async function openDemo(deps: Deps): Promise<Demo | null> {
  const { dataDir, say, onPast } = deps;
  if (!deps.ownsDemo) {
    const access = await readAccess(deps);
    return access.emails.length === 0 ? null : { ...access, startSimulator: null };
  }
  const files = demoFiles(dataDir);
  const isNew = (await files.readInstallation()) === null;
  const endStep = isNew ? deps.onStep('Loading the demo') : null;
  if (!(await loadDemo({ ...deps, files, hashPassword: (text) => deps.passwords.hash(text) }))) {
    say('No demo was loaded: the database holds apps of its own.');
    endStep?.('No demo was loaded, because the database holds other apps');
    return null;
  }
  await ensureInbox(deps.db, deps.now());
  const installation = await files.readInstallation();
  if (isNew && installation) await writeDemoLogs({ seed: installation.seed, now: deps.now(), folders: deps.logs });
  endStep?.('Loaded the demo');
  return {
    ...(await readAccess(deps)),
    startSimulator: installation && ((url) => startSimulator({ url, dataDir, registry: [...packagedRegistry().paths], say, onPast })),
  };
}

/** Ends the sessions of demo accounts, which cannot sign in while the demo is off. Returns the line for the operator, if there were any. */
export async function lockDemo(db: Databases['db']): Promise<string | null> {
  const { accounts, otherSuperAdmins } = await lockDemoAccounts(db);
  if (accounts === 0) return null;
  const line = `Demo accounts: ${accounts} cannot sign in, because the demo is off`;
  return otherSuperAdmins > 0 ? line : `${line}; no other Super Admin can sign in either (start with DEMO=1 and create one)`;
}

async function readAccess(deps: Deps): Promise<DemoAccess> {
  return deps.isLocal ? publicAccess(deps) : generatedAccess(deps);
}

async function publicAccess(deps: Deps): Promise<DemoAccess> {
  const accounts = await findDemoSignIns(deps.db);
  const open = await openedByPublicPassword(deps, accounts);
  return open.length === 0
    ? { emails: accounts.map(({ email }) => email), password: null, isGenerated: false }
    : { emails: open.map(({ email }) => email), password: demoPassword, isGenerated: false };
}

/** Replaces the public password wherever it still opens an account, also when an earlier start on this machine alone left it there. */
async function generatedAccess(deps: Deps): Promise<DemoAccess> {
  return inDemoTransaction(deps.db, async (tx) => {
    const accounts = await findDemoSignIns(tx);
    const open = await openedByPublicPassword(deps, accounts);
    if (open.length === 0) return { emails: accounts.map(({ email }) => email), password: null, isGenerated: false };
    const password = generatePassword();
    await replaceDemoPassword(tx, open, await deps.passwords.hash(password));
    return { emails: open.map(({ email }) => email), password, isGenerated: true };
  });
}

async function openedByPublicPassword({ passwords }: Deps, accounts: readonly DemoSignIn[]): Promise<DemoSignIn[]> {
  // The demo's accounts share one hash, which is checked once.
  const open = new Set<string>();
  for (const hash of new Set(accounts.map(({ passwordHash }) => passwordHash))) {
    if (await passwords.matches(demoPassword, hash)) open.add(hash);
  }
  return accounts.filter(({ passwordHash }) => open.has(passwordHash));
}

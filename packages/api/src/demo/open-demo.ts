import type { SecretBox } from '../adapters/secret-box.ts';
import type { Databases } from '../database/connect.ts';
import { demoAccounts, demoPassword } from './demo-accounts.ts';
import { demoFiles } from './demo-files.ts';
import { loadDemo } from './load-demo.ts';
import { writeDemoLogs } from './write-demo-logs.ts';
import { startSimulator, type Simulator } from './start-simulator.ts';

/** The demo of this installation. */
export type Demo = {
  /** E-mails that open the console, all with `password`. */
  emails: readonly string[];
  password: string;
  /** Starts the traffic; `url` is where the API listens, without a slash at its end. */
  startSimulator: (url: string) => Simulator;
};

/**
 * Loads the demo when it is wanted and the database holds nothing yet, and gives what an installation with a
 * demo needs; null where there is none. Call it after the first admin was made.
 */
export async function openDemo(deps: {
  /** False: no demo at all, not even one that was loaded earlier. */
  allowed: boolean;
  /** Whether a demo shall be loaded where there is none. */
  wanted: boolean;
  dataDir: string;
  /** Where a new demo's logs go. */
  logs: { consoleDir: string; appDir: string };
  db: Databases['db'];
  secretBox: Pick<SecretBox, 'seal'>;
  hashPassword: (password: string) => Promise<string>;
  now: () => Date;
  utcOffset: string;
  /** Takes lines for the log. */
  say: (line: string) => void;
}): Promise<Demo | null> {
  if (!deps.allowed) return null;
  const { dataDir, say } = deps;
  const files = demoFiles(dataDir);
  const isNew = (await files.readInstallation()) === null;
  if (deps.wanted && !(await loadDemo({ ...deps, files }))) say('No demo was loaded: the database holds apps of its own.');
  const installation = await files.readInstallation();
  if (!installation) return null;
  if (isNew) await writeDemoLogs({ seed: installation.seed, now: deps.now(), folders: deps.logs });
  return {
    emails: demoAccounts.filter((account) => account.signsIn).map((account) => account.email),
    password: demoPassword,
    startSimulator: (url) => startSimulator({ url, dataDir, say }),
  };
}

import { demoFiles } from '@switchyard/demo/demo-files';
import { BatchRejected } from '@switchyard/demo/send-batch';
import { simulateRate } from '@switchyard/demo/simulate-rate';
import { demoTraffic } from '@switchyard/demo/simulator-clients';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { processEnvironment, readSettings } from '../env.ts';
import { tell } from './with-database.ts';

export type Simulation = {
  /** Events a second. */
  rate: number;
  /** Seconds. Default: until a signal. */
  for?: number;
  url?: string;
  token?: string;
  /** Apps that get the events. Empty: those of the demo. */
  bundles: readonly string[];
};

/** Posts events to a console as a traffic server does. */
export async function simulate({ rate, for: seconds, url, token, bundles }: Simulation): Promise<void> {
  const { PORT, DATA_DIR } = processEnvironment();
  const { listen, dataDir } = readSettings({ PORT, DATA_DIR });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const apps = bundles.map((bundle) => ({ bundle, domain: 'simulated.example', weight: 1, streams: [] }));
  try {
    const sentRows = await simulateRate({
      url: url ?? `http://127.0.0.1:${listen.port}`,
      tokens: token === undefined ? await demoTokens(dataDir) : [token],
      apps: apps.length === 0 ? demoTraffic() : apps,
      rate,
      seconds: seconds ?? null,
      signal: stopping.signal,
      say: tell,
    });
    if (sentRows.accepted === 0) process.exitCode = 1;
  } catch (error) {
    throw error instanceof BatchRejected ? new StartupError(`The API rejected the traffic: ${error.message}`) : error;
  }
}

async function demoTokens(dataDir: string): Promise<string[]> {
  const installation = await demoFiles(dataDir).readInstallation();
  if (!installation) throw new StartupError(`--token: missing (DATA_DIR ${dataDir} contains no demo whose tokens could be used)`);
  return installation.servers.map((server) => server.token);
}

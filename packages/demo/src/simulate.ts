import { resolve } from 'node:path';
import { demoFiles } from './demo-files.ts';
import { demoTraffic, type SimulatedApp } from './simulator-clients.ts';
import { readArguments, usage, UsageError, type SimulateArguments } from './simulate-arguments.ts';
import { BatchRejected } from './send-batch.ts';
import { simulateRate } from './simulate-rate.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2));
  if (!options) {
    process.stdout.write(usage);
    return 0;
  }
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  process.once('SIGTERM', () => stopping.abort());
  const url = options.url ?? `http://127.0.0.1:${process.env['PORT'] || '3000'}`;
  const sums = await simulateRate({
    url,
    tokens: options.token === null ? await demoTokens() : [options.token],
    apps: appsOf(options),
    rate: options.rate,
    seconds: options.seconds,
    signal: stopping.signal,
    say,
  });
  return sums.accepted > 0 ? 0 : 1;
}

async function demoTokens(): Promise<string[]> {
  const dataDir = resolve(process.env['DATA_DIR'] || 'data');
  const installation = await demoFiles(dataDir).readInstallation();
  if (!installation) throw new UsageError(`--token is missing, and ${dataDir} holds no demo whose tokens could be used.`);
  return installation.servers.map((server) => server.token);
}

function appsOf({ bundles }: SimulateArguments): SimulatedApp[] {
  if (bundles.length === 0) return demoTraffic();
  return bundles.map((bundle) => ({ bundle, domain: 'simulated.example', weight: 1, streams: [] }));
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${usage}`);
  else if (error instanceof BatchRejected) process.stderr.write(`The API refused the traffic: ${error.message}\n`);
  else throw error;
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

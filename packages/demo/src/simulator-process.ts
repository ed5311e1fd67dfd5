import { setPriority } from 'node:os';
import { demoFiles } from './demo-files.ts';
import { BatchRejected } from './send-batch.ts';
import { simulateDemo } from './simulate-demo.ts';
import { rejectedExit, simulatorOrder, type SimulatorOrder, type SimulatorWord } from './start-simulator.ts';

/**
 * A child process of the API: apart from its event loop and at lower priority. It ends with the API in any case, because then the
 * channel between them breaks. Ctrl-C reaches both, and the parent decides.
 */
setPriority(10);
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.once('message', (message) => {
  simulate(simulatorOrder.parse(message)).catch((error: unknown) => {
    const isRejected = error instanceof BatchRejected;
    process.exitCode = isRejected ? rejectedExit : 1;
    const line = isRejected
      ? `The API refused the demo's traffic (${error.message}); the simulator stops.`
      : `The simulator failed: ${String(error)}`;
    sendWord({ say: line }, () => process.exit());
  });
});

async function simulate({ url, dataDir, registry }: SimulatorOrder): Promise<void> {
  const files = demoFiles(dataDir);
  const installation = await files.readInstallation();
  if (!installation) throw new Error('this data folder has no demo');
  await simulateDemo({
    installation,
    files,
    url,
    registry,
    signal: new AbortController().signal,
    say: (line) => sendWord({ say: line }),
    onPast: (share) => sendWord({ past: share }),
  });
}

function sendWord(word: SimulatorWord, then: () => void = () => undefined): void {
  process.send?.(word, then);
}

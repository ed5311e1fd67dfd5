import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** First message to the simulator's process: where the API listens, the data folder, and the CSV files of the ASN registry. */
export const simulatorOrder = z.object({ url: z.string(), dataDir: z.string(), registry: z.array(z.string()) });
export type SimulatorOrder = z.output<typeof simulatorOrder>;

/** Messages of the simulator's process to the API process: lines for its log, and the share of the past that was sent. */
export const simulatorWord = z.union([z.object({ say: z.string() }), z.object({ past: z.number().min(0).max(1) })]);
export type SimulatorWord = z.output<typeof simulatorWord>;

/** Exit code when the API rejected the simulator for good; starting it again would not help. */
export const rejectedExit = 3;

/** The simulator under way. */
export type Simulator = {
  /** Ends its process and resolves once it has exited. */
  stop: () => Promise<void>;
  /** Number of its process; null between a crash and the next start. */
  pid: () => number | null;
};

/** Callbacks about the simulator. */
export type SimulatorListener = {
  /** Takes lines for the log. */
  say: (line: string) => void;
  /** Called with the posted share of the past, from 0 to 1; null while the posting process is down. */
  onPast: (share: number | null) => void;
};

const restartMilliseconds = 10_000;
const stopMilliseconds = 2_000;
/**
 * A small young generation keeps the process at about 130 MB. The old one needs room: close to its limit V8
 * collects without pause, which cost half a core.
 */
const memory = ['--max-semi-space-size=4', '--max-old-space-size=256'];
const program = fileURLToPath(new URL('simulator-process.ts', import.meta.url));

/**
 * Starts the simulator in a process of its own; it waits by itself until the API listens. A crash starts it
 * again after a while, a rejection of its tokens does not.
 * @param order.url where the API listens, without a slash at its end
 */
export function startSimulator({ say, onPast, ...order }: SimulatorOrder & SimulatorListener): Simulator {
  let child: ChildProcess | null = null;
  let restart: NodeJS.Timeout | undefined;
  let stopped = false;

  function start(): void {
    // No settings, which hold secrets.
    const env = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
    const simulator = fork(program, [], { execArgv: memory, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child = simulator;
    // The API's own end must never wait for this process.
    simulator.unref();
    simulator.channel?.unref();
    simulator.on('message', (message) => {
      const word = simulatorWord.safeParse(message);
      if (!word.success) return;
      if ('say' in word.data) say(word.data.say);
      else onPast(word.data.past);
    });
    simulator.on('error', (error) => say(`The simulator did not start: ${error.message}`));
    simulator.once('exit', (code) => {
      child = null;
      onPast(null);
      if (!stopped && code !== rejectedExit) restart = setTimeout(start, restartMilliseconds).unref();
    });
    simulator.send(order, () => undefined);
  }

  start();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(restart);
      const running = child;
      if (running?.exitCode !== null || running.signalCode !== null) return;
      const exit = once(running, 'exit');
      running.ref();
      running.kill('SIGTERM');
      const force = setTimeout(() => running.kill('SIGKILL'), stopMilliseconds);
      await exit;
      clearTimeout(force);
    },
    pid: () => child?.pid ?? null,
  };
}

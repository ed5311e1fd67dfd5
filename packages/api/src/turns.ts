import { messages } from '@switchyard/contract/envelope';
import { unavailable } from './errors.ts';

/** Runs a task when it is its turn. */
export type InTurn = <T>(task: () => Promise<T>) => Promise<T>;

/** Runs tasks a few at a time, the rest in the order they came; refuses with 503 when too many wait. */
export function createTurns({ running, waiting }: { running: number; waiting: number }): InTurn {
  const queue: (() => void)[] = [];
  let busy = 0;
  return async (task) => {
    if (busy >= running) {
      if (queue.length >= waiting) throw unavailable(messages.busy);
      await new Promise<void>((resolve) => queue.push(resolve));
    } else busy += 1;
    try {
      return await task();
    } finally {
      const next = queue.shift();
      // The place goes straight to the next in line, so nobody can slip in between.
      if (next) next();
      else busy -= 1;
    }
  };
}

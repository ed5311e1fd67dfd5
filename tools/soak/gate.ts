import { setTimeout as wait } from 'node:timers/promises';

/** Lets actors work, and brings all of them to rest for a checkpoint. */
export type Gate = {
  /** Starts an actor. It has to rest often. */
  start(actor: () => Promise<void>): void;
  /** Waits so long, and as long as the gate is closed; false once the run is over. */
  rest(milliseconds: number): Promise<boolean>;
  /** Waits until every actor rests. */
  close(): Promise<void>;
  open(): void;
  /** Waits until every actor has ended. */
  end(): Promise<void>;
};

const pollMilliseconds = 50;

/** @param onError gets the error of an actor that failed, which ends it. */
export function createGate(onError: (error: unknown) => void): Gate {
  const life: { state: 'open' | 'closed' | 'over'; busy: number } = { state: 'open', busy: 0 };
  const actors: Promise<void>[] = [];

  async function idle(): Promise<void> {
    while (life.busy > 0) await wait(pollMilliseconds);
  }

  return {
    start(actor) {
      life.busy += 1;
      actors.push(
        actor()
          .catch(onError)
          .finally(() => void (life.busy -= 1)),
      );
    },
    async rest(milliseconds) {
      life.busy -= 1;
      const until = performance.now() + milliseconds;
      while (life.state === 'closed' || (life.state === 'open' && performance.now() < until))
        await wait(Math.min(pollMilliseconds, milliseconds));
      life.busy += 1;
      return life.state !== 'over';
    },
    async close() {
      life.state = 'closed';
      await idle();
    },
    open: () => void (life.state = 'open'),
    async end() {
      life.state = 'over';
      await Promise.all(actors);
    },
  };
}

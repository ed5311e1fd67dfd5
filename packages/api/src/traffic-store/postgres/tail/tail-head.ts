import type pg from 'pg';
import type { Listen } from '../../../database/listen.ts';

/** The number of the newest batch that everybody can see. */
export type TailHead = {
  /** Asks the database. */
  read(): Promise<number>;
  /** Waits until there is a batch after the given one, and gives the newest; rejects when the signal is aborted. */
  after(seq: number, signal: AbortSignal): Promise<number>;
  /** Hears of new batches from now until the function that it gives is called. */
  follow(): () => void;
};

/** So often the database is asked besides, should a notification be lost on a connection that hangs. */
const pollMilliseconds = 1000;
const channel = 'switchyard_requests';

/** One for the whole process: it listens only while somebody follows. */
export function createTailHead({ pool, listen }: { pool: pg.Pool; listen?: Listen | undefined }): TailHead {
  const waiting = new Set<() => void>();
  let followers = 0;
  const head = { newest: 0 };
  let stop: (() => void) | undefined;

  function advance(seq: number): void {
    if (seq <= head.newest) return;
    head.newest = seq;
    for (const wake of waiting) wake();
  }

  async function read(): Promise<number> {
    const { rows } = await pool.query<{ seq: number }>({
      name: 'tail-head',
      text: 'select coalesce(max(seq), 0)::bigint as seq from request_batches',
    });
    const seq = rows[0]?.seq ?? 0;
    advance(seq);
    return seq;
  }

  /** An unreachable database is told to whoever reads rows; here the next turn tries again. */
  function look(): void {
    read().catch(() => undefined);
  }

  return {
    read,
    async after(seq, signal) {
      if (head.newest <= seq) {
        await new Promise<void>((resolve, reject) => {
          const settle = (): void => {
            waiting.delete(wake);
            signal.removeEventListener('abort', settle);
            if (signal.aborted) reject(signal.reason);
            else resolve();
          };
          const wake = (): void => {
            if (head.newest > seq) settle();
          };
          waiting.add(wake);
          signal.addEventListener('abort', settle);
          if (signal.aborted) settle();
        });
      }
      return head.newest;
    },
    follow() {
      followers += 1;
      if (followers === 1) {
        const deaf = listen?.(channel, (payload) => (payload === '' ? look() : advance(Number(payload))));
        const timer = setInterval(look, pollMilliseconds);
        stop = () => {
          deaf?.();
          clearInterval(timer);
        };
      }
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        followers -= 1;
        if (followers === 0) stop?.();
      };
    },
  };
}

/** Forgets batches too old for a stream to go on from, the newest apart: it tells that nothing was forgotten since. */
export async function forgetOldBatches(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from request_batches where committed_at < clock_timestamp() - interval '1 hour'
    and seq < (select max(seq) from request_batches)`);
}

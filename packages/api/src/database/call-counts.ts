import { LRUCache } from 'lru-cache';
import type { Databases } from './connect.ts';
import { unauditedStatement } from './transaction.ts';

/** Counts of calls by key, in windows that all processes share. */
export type CallCounts = {
  /** Counts a call at once and in memory. The window, in milliseconds, begins with the first call. */
  count: (key: string, window: number) => { calls: number; secondsLeft: number };
  /** Adds the counts since the last time to those of other processes, and reads the sums for the same keys. */
  exchange: () => Promise<void>;
  /** Deletes windows that are over. */
  maintain: () => Promise<void>;
};

/** `known`: all processes at the last exchange; `pending`: this process since then. */
type Window = { known: number; pending: number; endsAt: number };

/** Maximum number of keys in memory. The least recently used ones are forgotten. */
const rememberedKeys = 10_000;
const exchangeMilliseconds = 1000;
const why = 'counts of calls that change nothing';

/**
 * A call costs no statement: a process that was called exchanges its counts once a second. While the database is unavailable,
 * its own counts go on.
 */
export function createCallCounts({ pools, now }: Pick<Databases, 'pools'> & { now: () => Date }): CallCounts {
  const windows = new LRUCache<string, Window>({ max: rememberedKeys });
  const pending = new Set<string>();
  const statements = unauditedStatement(why, pools);
  let timer: NodeJS.Timeout | undefined;
  let exchanging: Promise<void> | null = null;

  function exchangeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      exchange().catch(exchangeSoon);
    }, exchangeMilliseconds).unref();
  }

  /** One at a time: calls that are being announced must not be announced again. */
  async function exchange(): Promise<void> {
    exchanging ??= announce().finally(() => (exchanging = null));
    return exchanging;
  }

  async function announce(): Promise<void> {
    // All processes write in one order, so that they cannot deadlock.
    const announcedKeys = [...pending].toSorted().flatMap((key) => {
      const window = windows.peek(key);
      return window && window.pending > 0 ? [{ key, window, calls: window.pending }] : [];
    });
    if (announcedKeys.length === 0) return pending.clear();
    const { rows } = await statements.sessions.query<{ calls: number; window_ends_at: Date }>(exchangeStatement, [
      announcedKeys.map(({ key }) => key),
      announcedKeys.map(({ calls }) => calls),
      announcedKeys.map(({ window }) => new Date(window.endsAt)),
      now(),
    ]);
    for (const [at, { key, window, calls }] of announcedKeys.entries()) {
      const row = rows[at];
      if (!row) continue;
      window.known = row.calls;
      window.pending -= calls;
      window.endsAt = row.window_ends_at.getTime();
      if (window.pending === 0) pending.delete(key);
    }
    if (pending.size > 0) exchangeSoon();
  }

  return {
    count(key, length) {
      const moment = now().getTime();
      const before = windows.get(key);
      const window = before && before.endsAt > moment ? before : { known: 0, pending: 0, endsAt: moment + length };
      window.pending += 1;
      windows.set(key, window);
      pending.add(key);
      exchangeSoon();
      return { calls: window.known + window.pending, secondsLeft: Math.max(1, Math.ceil((window.endsAt - moment) / 1000)) };
    },
    exchange,
    async maintain() {
      await statements.ops.query('delete from call_counts where window_ends_at <= $1', [now()]);
    },
  };
}

const exchangeStatement = `
insert into call_counts as stored (key, calls, window_ends_at)
select * from unnest($1::text[], $2::integer[], $3::timestamptz[])
on conflict (key) do update set
  calls = case when stored.window_ends_at <= $4 then excluded.calls else stored.calls + excluded.calls end,
  window_ends_at = case when stored.window_ends_at <= $4 then excluded.window_ends_at else stored.window_ends_at end
returning calls, window_ends_at`;

import type pg from 'pg';

/** Each purpose has its own connections, so that one kind of work cannot starve another. */
export type PoolName = 'sessions' | 'ui' | 'ingest' | 'exports' | 'ops' | 'jobs';

export type Pools = Readonly<Record<PoolName, pg.Pool>>;

/**
 * Receives the notifications of a channel until the returned function is called. `handler` is called with '' after each
 * (re)connection, because something may have been missed before it.
 */
export type Listen = (channel: string, handler: (payload: string) => void) => () => void;

/** The part of the console's PostgreSQL that the stores need, which has the tables of events and deliveries. */
export type ConsoleDatabase = { pools: Pools; listen: Listen };

import { createStore, type Store } from '../external-store.ts';

/** Result of the last call: answered, not reached, or timed out. */
type Connection = 'up' | 'unreachable' | 'timeout';

/** Whether the server is reachable, according to the last call. */
export const connectionStore: Store<Connection> = createStore<Connection>('up');

/** How many counted calls are running; the loading bar shows while it is above zero. */
export const requestCounter = createStore(0);

/** Counts a running call. The returned function ends the count; further calls of it do nothing. */
export function countRequest(): () => void {
  requestCounter.set(requestCounter.get() + 1);
  let isCounted = true;
  return () => {
    if (!isCounted) return;
    isCounted = false;
    requestCounter.set(requestCounter.get() - 1);
  };
}

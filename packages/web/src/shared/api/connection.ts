import { createStore, type Store } from '../external-store.ts';

/** How the last call fared: answered, not reached, or not answered in time. */
export type Connection = 'up' | 'unreachable' | 'timeout';

/** Whether the server answers, as the calls find out. */
export const connectionStore: Store<Connection> = createStore<Connection>('up');

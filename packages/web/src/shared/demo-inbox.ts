import { createStore, type Store } from './external-store.ts';

/** Whether the demo is on, which keeps messages in an inbox; as far as it is loaded. */
export const hasInbox: Store<boolean> = createStore(false);

import { createStore, type Store } from '../external-store.ts';

/** Number of critical incidents that nobody has acknowledged, as far as they are loaded. */
export const criticalIncidents: Store<number> = createStore(0);

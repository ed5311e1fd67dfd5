import { createStore, type Store } from '../external-store.ts';

/** Number of critical incidents that nobody has acknowledged, as far as it is loaded. */
export const criticalIncidents: Store<number> = createStore(0);

/** Number of incidents that the next evaluations open, as far as it is loaded. */
export const waitingIncidents: Store<number> = createStore(0);

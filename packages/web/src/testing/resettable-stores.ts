import { createStore as createPlainStore, type Store } from '../shared/external-store.ts';

export { useStore, type Store } from '../shared/external-store.ts';

const resets: (() => void)[] = [];

/** Creates a store that `resetStores` resets. The browser tests have it in place of the one of `shared/external-store.ts`. */
export function createStore<T>(initial: T): Store<T> {
  const store = createPlainStore(initial);
  resets.push(() => store.set(initial));
  return store;
}

/** Gives every store its first value again. */
export function resetStores(): void {
  for (const reset of resets) reset();
}

import { useSyncExternalStore } from 'react';

/** A value outside React that components subscribe to and plain modules read and write. */
export type Store<T> = {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Subscribes to changes; returns the unsubscribe function. */
  readonly subscribe: (onChange: () => void) => () => void;
};

/** Creates a store in memory. Setting an identical value notifies nobody. */
export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

/** The value of the store; the component renders again when it changes. */
export function useStore<T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

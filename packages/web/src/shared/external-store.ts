import { useSyncExternalStore } from 'react';

/** A value outside React that components follow and plain modules read and change. */
export type Store<T> = {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Calls back after every change; returns how to stop. */
  readonly subscribe: (onChange: () => void) => () => void;
};

/** A store in memory; setting an identical value tells nobody. */
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

/** The store's value, rendering again when it changes. */
export function useStore<T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

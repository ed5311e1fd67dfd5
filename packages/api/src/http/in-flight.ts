/** Counts what runs at the moment by key. */
export type InFlight = {
  /** Takes a place and gives the function that frees it, or null when all places of the key are taken. */
  enter(key: number): (() => void) | null;
};

/** At most `places` at once for each key. */
export function createInFlight(places: number): InFlight {
  const taken = new Map<number, number>();
  return {
    enter(key) {
      const running = taken.get(key) ?? 0;
      if (running >= places) return null;
      taken.set(key, running + 1);
      let isFreed = false;
      return () => {
        if (isFreed) return;
        isFreed = true;
        const left = (taken.get(key) ?? 1) - 1;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
  };
}

/** Random choices that are the same for the same seed, so that demo traffic can be made again row by row. */
export type Random = {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** Whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  /** One of the entries; throws on an empty list. */
  pick<T>(list: readonly T[]): T;
  /** One of the entries, each as likely as its weight; throws on an empty list. */
  pickWeighted<T extends { readonly weight: number }>(entries: readonly T[]): T;
  /** So many lower-case hex digits. */
  hex(digits: number): string;
  /** A whole number whose average is `mean`: the mean itself or the number next to it. */
  around(mean: number): number;
};

/** Starts a sequence (mulberry32) from any parts, e.g. an installation's seed, a bundle and an hour. */
export function seededRandom(...seed: readonly (string | number)[]): Random {
  let state = hash(seed.join('|'));

  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixedState = Math.imul(state ^ (state >>> 15), 1 | state);
    mixedState = (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState;
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 4_294_967_296;
  }

  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));

  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: (list) => present(list[integer(0, list.length - 1)]),
    pickWeighted(entries) {
      let remaining = fraction() * entries.reduce((sum, entry) => sum + entry.weight, 0);
      return present(entries.find((entry) => (remaining -= entry.weight) < 0) ?? entries.at(-1));
    },
    hex: (digits) => Array.from({ length: digits }, () => integer(0, 15).toString(16)).join(''),
    around: (mean) => Math.floor(mean + fraction()),
  };
}

/** FNV-1a with a final mix, 32 bit. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return value ^ (value >>> 13);
}

function present<T>(entry: T | undefined): T {
  if (entry === undefined) throw new Error('Nothing to choose from.');
  return entry;
}

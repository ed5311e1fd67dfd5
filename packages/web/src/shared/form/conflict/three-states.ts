/** Three states of a form: as it was loaded, as somebody else saved it meanwhile, and as it is now typed. */
export type ThreeStates<T> = { readonly loaded: T; readonly theirs: T; readonly mine: T };

/** Whether two values of a form are the same, part by part. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What I changed is mine, the rest is theirs. */
function mergePart<T>({ loaded, theirs, mine }: ThreeStates<T>): T {
  return isSame(mine, loaded) ? theirs : mine;
}

/** Their set of ids, with what I added and without what I removed, in ascending order. */
export function mergeIds({ loaded, theirs, mine }: ThreeStates<readonly number[]>): readonly number[] {
  const [before, now] = [new Set(loaded), new Set(mine)];
  const kept = theirs.filter((id) => now.has(id) || !before.has(id));
  const added = mine.filter((id) => !before.has(id));
  return [...new Set([...kept, ...added])].toSorted((a, b) => a - b);
}

/** A form as it is saved over somebody else's changes: each field that I changed is mine, all others stay theirs. */
export function mergeParts<T extends object>({ loaded, theirs, mine }: ThreeStates<T>): T {
  const merged = { ...theirs };
  for (const key of Object.keys(mine).filter((name): name is Extract<keyof T, string> => name in mine)) {
    merged[key] = mergePart({ loaded: loaded[key], theirs: theirs[key], mine: mine[key] });
  }
  return merged;
}

import type { AppFormValues } from '../../configurator/app-form-values.ts';

/** Three states of a form: as it was loaded, as somebody else saved it meanwhile, and as it is now typed. */
export type ThreeStates<T> = { readonly loaded: T; readonly theirs: T; readonly mine: T };

/** Whether two values of the form are the same, part by part. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What I changed is mine, the rest is theirs. */
function part<T>({ loaded, theirs, mine }: ThreeStates<T>): T {
  return isSame(mine, loaded) ? theirs : mine;
}

/** Their set, with whom I added and without whom I removed. */
function idsOf({ loaded, theirs, mine }: ThreeStates<readonly number[]>): readonly number[] {
  const [before, now] = [new Set(loaded), new Set(mine)];
  const kept = theirs.filter((id) => now.has(id) || !before.has(id));
  const added = mine.filter((id) => !before.has(id));
  return [...new Set([...kept, ...added])].toSorted((a, b) => a - b);
}

function parts<T extends object>({ loaded, theirs, mine }: ThreeStates<T>): T {
  const merged = { ...theirs };
  for (const key of Object.keys(mine).filter((name): name is Extract<keyof T, string> => name in mine)) {
    merged[key] = part({ loaded: loaded[key], theirs: theirs[key], mine: mine[key] });
  }
  return merged;
}

/**
 * The form as it is saved over somebody else's changes: every field that I changed is mine, all others stay as they
 * saved them, so that nothing of either is lost but where both changed the same field.
 */
export function mergeValues(states: ThreeStates<AppFormValues>): AppFormValues {
  const { loaded, theirs, mine } = states;
  return {
    ...parts(states),
    keys: parts({ loaded: loaded.keys, theirs: theirs.keys, mine: mine.keys }),
    response_message: parts({ loaded: loaded.response_message, theirs: theirs.response_message, mine: mine.response_message }),
    userIds: idsOf({ loaded: loaded.userIds, theirs: theirs.userIds, mine: mine.userIds }),
  };
}

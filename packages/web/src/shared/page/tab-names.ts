/** Names of tabs: at least one, each a text. */
export type TabNames = readonly [string, ...string[]];

/** Whether a value can name tabs: a list of texts that is not empty. */
export function areTabNames(names: unknown): names is TabNames {
  return Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string');
}

/** The names as given; throws TypeError when they cannot name tabs. */
export function checkTabNames(names: unknown): TabNames {
  if (!areTabNames(names)) throw new TypeError('Tab names must be a list of texts that is not empty');
  return names;
}

/** The tab that opens: the wanted one if there is such a tab, else the first. */
export function openingTab(names: TabNames, wantedName: string | null | undefined): string {
  return names.find((name) => name === wantedName) ?? names[0];
}

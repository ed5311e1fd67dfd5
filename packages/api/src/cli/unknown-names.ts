/** Names of the environment that other programs read, which a file of settings may contain. */
const foreign = /^(NODE_|PG|TZ$|LANG$|LC_|PATH$|HOME$)/;

type Names = { knownNames: readonly string[]; environment: readonly string[]; ofFile: readonly string[] };

/** One line for each unknown name of the file, and for each name of the environment that is close to a known one. */
export function describeUnknownNames({ knownNames, environment, ofFile }: Names): string[] {
  return [...new Set([...ofFile, ...environment])].flatMap((name) => {
    if (knownNames.includes(name) || foreign.test(name)) return [];
    const [closest] = knownNames
      .filter((other) => isClose(name, other))
      .toSorted((one, other) => distance(name, one) - distance(name, other));
    if (closest !== undefined) return [`${name}: unknown setting (did you mean ${closest}?)`];
    return ofFile.includes(name) ? [`${name}: unknown setting`] : [];
  });
}

/** A letter in four may differ: `SMTP_URI`, `TRUSTED_PROXY`; short names of other programs differ more. */
function isClose(name: string, knownName: string): boolean {
  return distance(name, knownName) <= Math.max(1, Math.floor(knownName.length / 4));
}

/** Levenshtein distance: characters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let line = 0; line < one.length; line += 1) {
    const next = [line + 1];
    for (let at = 0; at < other.length; at += 1)
      next.push(Math.min((row[at] ?? 0) + (one[line] === other[at] ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    row = next;
  }
  return row[other.length] ?? 0;
}

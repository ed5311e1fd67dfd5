/** First and last day of what a file covers, as texts that begin with YYYY-MM-DD. */
export type FilePeriod = { from?: string | undefined; to?: string | undefined };

/**
 * The name of a file: of what it has, and the days it covers, e.g. `goal-rush-pushes-2026-11-22-2026-11-28.csv`. Letters outside ASCII lose
 * their marks, or are left out. `fallback` is the name of parts that have no letter of ASCII.
 */
export function fileNameOf(
  parts: readonly string[],
  { period = {}, fallback, extension }: { period?: FilePeriod; fallback: string; extension: string },
): string {
  const words = parts
    .join(' ')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .join('-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, maximumWords)
    .replace(/-$/, '');
  const days = daysOf(period);
  return `${words === '' ? fallback : words}${days === '' ? '' : `-${days}`}.${extension}`;
}

const maximumWords = 80;

function daysOf({ from, to }: FilePeriod): string {
  const [first, last] = [from?.slice(0, 10), to?.slice(0, 10)];
  if (first === undefined) return last === undefined ? '' : `until-${last}`;
  if (last === undefined) return `from-${first}`;
  return first === last ? first : `${first}-${last}`;
}

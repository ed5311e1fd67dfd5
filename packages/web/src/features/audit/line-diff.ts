/** A line of two compared texts, or a number of lines that are equal in both and too far from a difference to be shown. */
export type DiffLine =
  | { readonly kind: 'removed' | 'added' | 'same'; readonly text: string }
  | { readonly kind: 'folded'; readonly count: number };

/** Equal lines shown before and after a difference. */
const context = 2;
/** Compared pairs of lines; beyond them all lines between the first and the last difference count as replaced. */
const maximumPairs = 1_000_000;

/** The text by which a value is compared: JSON with a line for each part, any other text as it is. */
export function linesText(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The differences of two texts by line, equal lines far from them folded. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [from, to] = [before.split('\n'), after.split('\n')];
  const start = countEqual(from, to);
  const end = countEqual(from.slice(start).toReversed(), to.slice(start).toReversed());
  const middle = diffMiddle(from.slice(start, from.length - end), to.slice(start, to.length - end));
  return fold([...from.slice(0, start).map(same), ...middle, ...from.slice(from.length - end).map(same)]);
}

type ShownLine = Exclude<DiffLine, { kind: 'folded' }>;

const same = (text: string): ShownLine => ({ kind: 'same', text });
const removed = (text: string): ShownLine => ({ kind: 'removed', text });
const added = (text: string): ShownLine => ({ kind: 'added', text });

/** How many lines are equal at the beginning. */
function countEqual(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((line, at) => line !== other[at]);
  return index === -1 ? Math.min(one.length, other.length) : index;
}

/** The differences by the longest common subsequence. */
function diffMiddle(from: readonly string[], to: readonly string[]): ShownLine[] {
  if (from.length * to.length > maximumPairs) return [...from.map(removed), ...to.map(added)];
  const width = to.length + 1;
  const lengths = new Uint32Array((from.length + 1) * width);
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i -= 1)
    for (let j = to.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = from[i] === to[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
  const lines: ShownLine[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    const [line, other] = [from[i], to[j]];
    if (line !== undefined && line === other) {
      lines.push(same(line));
      i += 1;
      j += 1;
    } else if (line !== undefined && (other === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push(removed(line));
      i += 1;
    } else if (other !== undefined) {
      lines.push(added(other));
      j += 1;
    }
  }
  return lines;
}

/** Replaces equal lines far from a difference by their number; a single line is as short as its number. */
function fold(lines: readonly ShownLine[]): DiffLine[] {
  const isNear = lines.map(() => false);
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same') isNear.fill(true, Math.max(0, index - context), index + context + 1);
  const folded: DiffLine[] = [];
  for (let index = 0; index < lines.length;) {
    const next = isNear.indexOf(true, index);
    const count = (next === -1 ? lines.length : next) - index;
    if (count > 1) folded.push({ kind: 'folded', count });
    else folded.push(...lines.slice(index, index + Math.max(1, count)));
    index += Math.max(1, count);
  }
  return folded;
}

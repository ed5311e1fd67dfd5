/** Shortest text that may contain a typo; in a shorter one nearly every word is one typo away. */
export const shortestTypo = 4;

/**
 * Whether some part of the text differs from the pattern by at most one typo: a wrong, missing, additional or swapped
 * character. Both are in lower case.
 */
export function hasWithOneTypo(text: string, pattern: string): boolean {
  for (let from = 0; from <= text.length - (pattern.length - 1); from += 1) {
    let at = 0;
    while (at < pattern.length && text[from + at] === pattern[at]) at += 1;
    // Everything fits, or all but the last character.
    if (at >= pattern.length - 1) return true;
    const rest = pattern.slice(at + 1);
    const isWrong = text.startsWith(rest, from + at + 1);
    const isMissing = text.startsWith(pattern.slice(at), from + at + 1);
    const isAdditional = text.startsWith(rest, from + at);
    const isSwapped =
      text[from + at] === pattern[at + 1] && text[from + at + 1] === pattern[at] && text.startsWith(pattern.slice(at + 2), from + at + 2);
    if (isWrong || isMissing || isAdditional || isSwapped) return true;
  }
  return false;
}

/**
 * The text as a table or label shows it: longer than `to` characters it is cut there and ends in `...`
 * (AMB-048, AMB-049). Characters are code points, so a pair of surrogates is never torn.
 */
export function cutText(text: string, to: number): string {
  return cutFrom(text, to + 1, to);
}

/** The same for texts that stay whole up to a longer limit: from `from` characters on they are cut at `to` (AMB-050). */
export function cutFrom(text: string, from: number, to: number): string {
  const characters = Array.from(text);
  return characters.length < from ? text : `${characters.slice(0, to).join('')}...`;
}

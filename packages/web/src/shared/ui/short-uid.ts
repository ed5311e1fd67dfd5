/**
 * The ends of a uid with three dots between them (AMB-150); one that is no longer than both ends together stays whole.
 * Characters are code points, so a pair of surrogates is never torn.
 */
export function shortUid(uid: string, ends: { first: number; last: number }): string {
  const characters = Array.from(uid);
  if (characters.length <= ends.first + ends.last) return uid;
  return `${characters.slice(0, ends.first).join('')}...${characters.slice(-ends.last).join('')}`;
}

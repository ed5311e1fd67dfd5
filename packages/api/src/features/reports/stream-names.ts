/** Characters of a uid that is written whole, and those of each end of a longer one. */
const lengths = { whole: 14, end: 6 };

/** Names of streams by uid; those that several streams share have their uid beside them. */
export function distinguishStreams(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(Array.from(names, ([uid, name]) => [uid, (counts.get(name) ?? 0) > 1 ? `${name} (${shortened(uid)})` : name]));
}

function shortened(uid: string): string {
  const characters = Array.from(uid);
  if (characters.length <= lengths.whole) return uid;
  return `${characters.slice(0, lengths.end).join('')}…${characters.slice(-lengths.end).join('')}`;
}

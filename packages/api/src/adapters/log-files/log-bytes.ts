/** Bytes of a byte order mark of UTF-16. */
export const markBytes = 2;

/** The byte order of UTF-16 that the first bytes of a file tell; null: it is another file. */
export function utf16Order(first: Buffer): 'LE' | 'BE' | null {
  if (first.length < markBytes) return null;
  const mark = first.readUInt16LE();
  return mark === 0xfeff ? 'LE' : mark === 0xfffe ? 'BE' : null;
}

/** The bytes of an open log file as UTF-8. `size` is their number, which may differ from the size of the file. */
export type LogBytes = {
  size: number;
  device: number;
  inode: number;
  /** Like `readSync`. */
  read: (into: Buffer, at: number, length: number, position: number) => number;
};

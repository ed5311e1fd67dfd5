/** The bytes of an open log file as UTF-8. `size` is their number, which may differ from the size of the file. */
export type LogBytes = {
  size: number;
  device: number;
  inode: number;
  /** Like `readSync`. */
  read: (into: Buffer, at: number, length: number, position: number) => number;
};

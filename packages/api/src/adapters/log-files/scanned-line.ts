import type { EntryLevel } from '@switchyard/contract/log-viewer';

/**
 * A line without its line break. `bytes[from..to]` is the line, or its first part if `length` is greater. The file goes on in `bytes` to
 * before `end`. `isWhole` is false for a last line without a line break, which may still grow. `isPlain`: it has neither NUL nor escape
 * sequences. `level`: of the entry that it starts, see `classifyLine`.
 */
export type ScannedLine = {
  start: number;
  bytes: Buffer;
  from: number;
  to: number;
  end: number;
  length: number;
  isWhole: boolean;
  isPlain: boolean;
  level: EntryLevel | null | undefined;
};

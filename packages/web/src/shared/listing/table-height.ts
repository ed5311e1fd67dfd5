import { tableHeight } from '@switchyard/contract/limits';

/** Height of a table in pixels: what is left of the window below its top, less 36, but at least 300 (CONST-018, WID-055). */
export function heightBelow(top: number, windowHeight: number): number {
  return Math.max(tableHeight.minimum, Math.floor(windowHeight - top - tableHeight.margin));
}

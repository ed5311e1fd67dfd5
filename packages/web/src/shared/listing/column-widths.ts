import type { ListColumn } from './list-column.ts';

type Sized = Pick<ListColumn<never>, 'width' | 'grows'>;
const sumOf = (columns: readonly Sized[]): number => columns.reduce((sum, { width }) => sum + width, 0);

/**
 * Widths of a table's columns for CSS, in their order. Those that grow share what is left in proportion to their widths, of
 * the nearest container's inline size, and are never narrower; the widest of them has none and so gets exactly the rest.
 */
export function columnWidths(columns: readonly Sized[]): readonly (number | string | undefined)[] {
  const growing = columns.filter(({ grows }) => grows === true);
  const widest = growing.toSorted((one, other) => other.width - one.width)[0];
  const [total, part] = [sumOf(columns), sumOf(growing)];
  return columns.map((column) => {
    const { width, grows } = column;
    if (column === widest) return undefined;
    return grows === true ? `max(${width}px, ${width}px + (100cqi - ${total}px) * ${width / part})` : width;
  });
}

import { Skeleton } from '@mantine/core';
import classes from './list-table.module.css';
import type { PlacedColumn } from './use-list-table.ts';

const rowsShown = 12;

/** Grey rows in the shape of the table, while the first rows are on their way. */
export function SkeletonRows<Item>({ columns }: { columns: readonly PlacedColumn<Item>[] }) {
  return (
    <tbody aria-hidden>
      {Array.from({ length: rowsShown }, (_, row) => (
        <tr key={row} className={classes['row']}>
          {columns.map(({ column, style }, at) => (
            <td key={column.id} className={classes['cell']} data-align={column.align} data-pin={column.pin} style={style}>
              <Skeleton height={10} width={`${45 + ((row * 7 + at * 13) % 40)}%`} ml={column.align === 'end' ? 'auto' : 0} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

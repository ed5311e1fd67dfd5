import { Skeleton } from '@mantine/core';
import classes from './entries-table.module.css';

const rows = Array.from({ length: 12 }, (_, row) => row);

/** Grey rows in the shape of the entries, while the first are on their way. */
export function EntriesSkeleton({ columns }: { columns: readonly string[] }) {
  return (
    <tbody aria-hidden>
      {rows.map((row) => (
        <tr key={row} className={classes['row']}>
          {columns.map((name, at) => (
            <td key={name} data-column={name}>
              <Skeleton height={10} width={`${45 + ((row * 7 + at * 13) % 40)}%`} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

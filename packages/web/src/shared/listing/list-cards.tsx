import { IconChevronDown } from '@tabler/icons-react';
import { Skeleton } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { useId, useState, type ReactNode } from 'react';
import { columnTitle, type ListColumn } from './list-column.ts';
import classes from './list-cards.module.css';
import type { RowMark } from './list-row.tsx';
import type { RowsProps } from './list-table.tsx';

/** A list on phones: a card for each row with its three main columns, the others on tap. */
export function ListCards<Item extends RowData>({ list, table, caption, summary, markOf, openRow }: RowsProps<Item>) {
  const columns = table.placed.map(({ column }) => column);
  if (list.view === 'loading') return <SkeletonCards />;
  return (
    <ul className={classes['cards']} aria-label={caption} aria-busy={list.isLoading} data-loading={list.isLoading || undefined}>
      {summary !== undefined && <SummaryCard columns={columns} summary={summary} />}
      {table.table.getRowModel().rows.map((row) => (
        <Card key={row.id} item={row.original} columns={columns} mark={markOf?.(row.original)} isOpen={openRow === row.original} />
      ))}
    </ul>
  );
}

type CardProps<Item> = { item: Item; columns: readonly ListColumn<Item>[]; mark: RowMark | undefined; isOpen: boolean };

function Card<Item>({ item, columns, mark, isOpen }: CardProps<Item>) {
  const [isExpanded, setExpanded] = useState(false);
  const detail = useId();
  const main = columns.filter((column) => column.isMain === true);
  const rest = columns.filter((column) => column.isMain !== true);
  return (
    <li className={classes['card']} data-tone={mark?.tone} data-open={isOpen || undefined}>
      <div className={classes['head']}>
        <div className={classes['main']}>
          {main.map((column) => (
            <div key={column.id} className={classes['mainCell']}>
              {column.cell(item)}
            </div>
          ))}
        </div>
        <button
          type="button"
          className={classes['toggle']}
          aria-label={isExpanded ? 'Show less' : 'Show more'}
          aria-expanded={isExpanded}
          aria-controls={detail}
          onClick={() => setExpanded(!isExpanded)}
        >
          <IconChevronDown size={18} aria-hidden />
        </button>
      </div>
      <dl id={detail} className={classes['detail']} hidden={!isExpanded}>
        {isExpanded && rest.map((column) => <Detail key={column.id} name={columnTitle(column)} value={column.cell(item)} />)}
      </dl>
    </li>
  );
}

function Detail({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className={classes['pair']}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

type SummaryProps<Item> = { columns: readonly ListColumn<Item>[]; summary: ReadonlyMap<string, ReactNode> };

function SummaryCard<Item>({ columns, summary }: SummaryProps<Item>) {
  const [title, ...sums] = columns.filter((column) => summary.has(column.id));
  return (
    <li className={classes['card']} data-summary>
      <div className={classes['mainCell']}>{title === undefined ? null : summary.get(title.id)}</div>
      <dl className={classes['detail']}>
        {sums.map((column) => (
          <Detail key={column.id} name={columnTitle(column)} value={summary.get(column.id)} />
        ))}
      </dl>
    </li>
  );
}

function SkeletonCards() {
  return (
    <div className={classes['cards']} aria-hidden>
      {Array.from({ length: 6 }, (_, at) => (
        <div key={at} className={classes['card']}>
          <Skeleton height={12} width="55%" mb={10} />
          <Skeleton height={10} width="80%" />
        </div>
      ))}
    </div>
  );
}

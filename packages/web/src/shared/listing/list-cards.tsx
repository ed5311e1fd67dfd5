import { ActionIcon, NativeSelect, Skeleton } from '@mantine/core';
import { IconArrowsDiagonal, IconArrowDown, IconArrowUp, IconChevronDown } from '@tabler/icons-react';
import type { RowData } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { columnTitle, selectionColumnId, sortKeyOf, type ListColumn } from './list-column.ts';
import classes from './list-cards.module.css';
import type { RowMark } from './list-row.tsx';
import type { RowsProps } from './list-table.tsx';
import { usePrinting } from './use-printing.ts';

/** A list on phones: a control to sort, and a card for each row with its main columns; a tap shows the others. */
export function ListCards<Item extends RowData>(props: RowsProps<Item>) {
  const { list, table, caption, summary, markOf, gapAbove, onOpen, opensOnClick, openRow } = props;
  const columns = table.shownColumns;
  const rows = table.table.getRowModel().rows;
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const { cards, mounted, above, below, measure } = useMountedCards(rows.length);
  if (list.view === 'loading') return <SkeletonCards />;
  const toggle = (id: string): void =>
    setExpanded((before) => (before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id])));
  return (
    <>
      <SortControl list={list} columns={table.declaredColumns} />
      {summary !== undefined && (
        <ul className={classes['cards']} aria-label={`Sums of ${caption}`}>
          <Card columns={columns} cellOf={(column) => summary.get(column.id)} isSummary />
        </ul>
      )}
      <ul
        ref={cards}
        className={classes['cards']}
        aria-label={caption}
        aria-busy={list.isLoading}
        data-loading={list.isLoading || undefined}
        style={{ paddingTop: above, paddingBottom: below }}
      >
        {mounted.map((index) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <Card
              key={row.id}
              place={measure === null ? undefined : { index, count: rows.length, measure }}
              columns={columns}
              cellOf={(column) => column.cell(row.original)}
              mark={markOf?.(row.original)}
              gap={gapAbove?.(row.original)}
              isOpen={openRow === row.original}
              isExpanded={expanded.has(row.id)}
              onToggle={() => toggle(row.id)}
              onOpen={opensOnClick === true ? () => onOpen?.(row.original) : undefined}
            />
          );
        })}
      </ul>
    </>
  );
}

/** Above this number only the cards in view are mounted; in print all are. */
const virtualAbove = 60;
/** Pixels of a card before it is measured, and between cards. */
const sizes = { card: 76, gap: 8 };

/** The cards that are mounted, and the heights of those before and after them. The page scrolls, not the list. */
function useMountedCards(count: number) {
  const cards = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const isVirtual = !usePrinting() && count > virtualAbove;
  useLayoutEffect(() => {
    if (!isVirtual) return undefined;
    // Filters and notices above the list change its place, and with it the height of the page.
    const observer = new ResizeObserver(() => {
      setTop(Math.round((cards.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [isVirtual]);
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count,
    estimateSize: () => sizes.card,
    gap: sizes.gap,
    overscan: 6,
    scrollMargin: top,
    enabled: isVirtual,
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  return {
    cards,
    mounted: isVirtual ? items.map(({ index }) => index) : Array.from({ length: count }, (_, index) => index),
    above: isVirtual && first !== undefined ? first.start - top : 0,
    below: isVirtual && last !== undefined ? virtualizer.getTotalSize() - (last.end - top) : 0,
    measure: isVirtual ? virtualizer.measureElement : null,
  };
}

type SortProps<Item extends RowData> = { list: RowsProps<Item>['list']; columns: readonly ListColumn<Item>[] };

/** Chooses the column and direction of the sort; cards have no headers to click. */
function SortControl<Item extends RowData>({ list: { arrangement, sortBy }, columns }: SortProps<Item>) {
  const { sort } = arrangement;
  const options = columns.flatMap((column) => {
    const key = sortKeyOf(column);
    return key === null ? [] : [{ value: key, label: columnTitle(column) }];
  });
  if (sort === null || options.length === 0) return null;
  const isDescending = sort.orderDirection === 'desc';
  const Arrow = isDescending ? IconArrowDown : IconArrowUp;
  const label = isDescending ? 'Sorted descending; sort ascending' : 'Sorted ascending; sort descending';
  return (
    <div className={classes['sort']} data-screen-only>
      <NativeSelect
        className={classes['sortBy'] ?? ''}
        aria-label="Sort by"
        leftSection={<span className={classes['sortWord']}>{arrangement.sortWord ?? 'Sort by'}</span>}
        leftSectionWidth={arrangement.sortWord === undefined ? 68 : 132}
        value={sort.orderBy}
        onChange={(event) => sortBy(event.currentTarget.value)}
        data={options}
      />
      <ActionIcon variant="default" size="lg" aria-label={label} title={label} onClick={() => sortBy(sort.orderBy)}>
        <Arrow size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}

type CardProps<Item> = {
  /** Where only some cards are mounted: which one it is, and what measures it. */
  place?: { index: number; count: number; measure: (card: HTMLLIElement | null) => void } | undefined;
  isExpanded?: boolean;
  onToggle?: () => void;
  columns: readonly ListColumn<Item>[];
  cellOf: (column: ListColumn<Item>) => ReactNode;
  mark?: RowMark | undefined;
  gap?: string | undefined;
  isOpen?: boolean;
  isSummary?: boolean;
  onOpen?: (() => void) | undefined;
};

function isNamed({ align, isNamedOnCards }: ListColumn<never>): boolean {
  return align === 'end' || isNamedOnCards === true;
}

/** The cells of a card; columns without content in it are left out. */
function filledCells<Item>(columns: readonly ListColumn<Item>[], cellOf: CardProps<Item>['cellOf']) {
  return columns.map((column) => ({ column, cell: cellOf(column) })).filter(({ cell }) => cell !== undefined);
}

function Card<Item>(props: CardProps<Item>) {
  const { place, columns: allColumns, cellOf, mark, gap, isOpen = false, isSummary = false, onOpen, onToggle } = props;
  const [isOwnExpanded, setExpanded] = useState(false);
  const isExpanded = props.isExpanded ?? isOwnExpanded;
  const detail = useId();
  const columns = allColumns.filter(({ id }) => id !== selectionColumnId);
  const boxes = isSummary ? [] : allColumns.filter(({ id }) => id === selectionColumnId);
  const inHead = (column: ListColumn<Item>, at: number): boolean => column.isMain === true || (isSummary && at === 0);
  return (
    <li
      ref={place?.measure}
      className={classes['card']}
      data-index={place?.index}
      aria-setsize={place?.count}
      aria-posinset={place === undefined ? undefined : place.index + 1}
      data-tone={mark?.tone}
      data-open={isOpen || undefined}
      data-summary={isSummary || undefined}
    >
      {gap !== undefined && <p className={classes['gap']}>{gap}</p>}
      <div className={classes['head']}>
        {boxes.map((column) => (
          <div key={column.id} className={classes['box']}>
            {cellOf(column)}
          </div>
        ))}
        <div className={classes['main']}>
          {filledCells(firstNamed(columns.filter(inHead)), cellOf).map(({ column, cell }) => (
            <div key={column.id} className={classes[isNamed(column) ? 'namedCell' : 'mainCell']}>
              {isNamed(column) && <span className={classes['mainName']}>{columnTitle(column)}</span>}
              {cell}
            </div>
          ))}
        </div>
        {onOpen !== undefined && (
          <button type="button" className={classes['toggle']} aria-label="Open" onClick={onOpen}>
            <IconArrowsDiagonal size={18} aria-hidden />
          </button>
        )}
        <button
          type="button"
          className={classes['toggle']}
          aria-label={isExpanded ? 'Show less' : 'Show more'}
          aria-expanded={isExpanded}
          aria-controls={detail}
          onClick={onToggle ?? (() => setExpanded(!isExpanded))}
        >
          <IconChevronDown size={18} aria-hidden />
        </button>
      </div>
      <dl id={detail} className={classes['detail']} hidden={!isExpanded}>
        {isExpanded &&
          filledCells(actionsFirst(columns.filter((column, at) => !inHead(column, at))), cellOf).map(({ column, cell }) => (
            <div key={column.id} className={classes['pair']} data-align={column.align} data-beside-two={onOpen !== undefined || undefined}>
              <dt>{columnTitle(column)}</dt>
              <dd>{cell}</dd>
            </div>
          ))}
      </dl>
    </li>
  );
}

/** Puts the column that is first on cards before the others that have names. */
function firstNamed<Item>(columns: readonly ListColumn<Item>[]): readonly ListColumn<Item>[] {
  const rankOf = (column: ListColumn<Item>): number => (!isNamed(column) ? 0 : column.isFirstOnCards === true ? 1 : 2);
  return columns.some(({ isFirstOnCards }) => isFirstOnCards === true) ? columns.toSorted((a, b) => rankOf(a) - rankOf(b)) : columns;
}

/** Puts the actions of a row first; in a table they are at the far end. */
function actionsFirst<Item>(columns: readonly ListColumn<Item>[]): readonly ListColumn<Item>[] {
  return [...columns.filter(({ pin }) => pin === 'end'), ...columns.filter(({ pin }) => pin !== 'end')];
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

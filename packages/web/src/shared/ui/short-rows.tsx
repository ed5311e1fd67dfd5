import { Button, TextInput } from '@mantine/core';
import { comparableText } from '@switchyard/contract/text-fields';
import { IconSearch } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import classes from './short-rows.module.css';
import { groupedNumber } from './text-format.ts';

/** Rows that are drawn at first, and how many more a press of the button draws. */
const steps = { first: 20, more: 100 };

type Props<Row> = {
  rows: readonly Row[];
  /** The plural of what a row is: `servers`. */
  noun: string;
  /** The text of a row that the search looks at. */
  textOf: (row: Row) => string;
  /** Whether a row is drawn before others that do not fit: it is chosen, or has an unsaved change. */
  isMarked?: (row: Row) => boolean;
  children: (rows: readonly Row[]) => ReactNode;
};

/**
 * Rows within a form. Where there are many, it draws the first ones, with a search, their number and a button that draws more: a page
 * with thousands of rows answers each key as fast as one with twenty.
 */
export function ShortRows<Row>({ rows, noun, textOf, isMarked, children }: Props<Row>) {
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(steps.first);
  if (rows.length <= steps.first) return children(rows);
  const needle = comparableText(search.trim());
  const foundRows = needle === '' ? rows : rows.filter((row) => comparableText(textOf(row)).includes(needle));
  const markedRows = isMarked === undefined ? [] : foundRows.filter(isMarked).slice(0, most);
  const drawnRows = new Set([...markedRows, ...foundRows.slice(0, most - markedRows.length)]);
  const left = foundRows.length - drawnRows.size;
  return (
    <div className={classes['rows']}>
      <TextInput
        type="search"
        aria-label={`Search ${noun}`}
        placeholder={`Search ${groupedNumber(rows.length)} ${noun}`}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {drawnRows.size > 0 && children(foundRows.filter((row) => drawnRows.has(row)))}
      <output className={classes['count']}>
        <span>
          {foundRows.length === 0 ? 'Nothing matches.' : `${groupedNumber(drawnRows.size)} of ${groupedNumber(foundRows.length)} ${noun}`}
        </span>
        {left > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => setMost(most + steps.more)}>
            Show {groupedNumber(Math.min(left, steps.more))} more
          </Button>
        )}
      </output>
    </div>
  );
}

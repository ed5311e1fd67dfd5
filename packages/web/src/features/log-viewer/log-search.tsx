import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { SearchField } from '../../shared/listing/search-field.tsx';
import classes from './log-info.module.css';
import type { LogEntries } from './use-log-day.ts';

/** Longest text that is looked for (api [75]). */
const longest = 200;

/** The search in a day. It is for text as it stands, in every level (LOG-022, LOG-028). */
export function LogSearch({ list: { query, change, reload } }: { list: LogEntries }) {
  const [typed, setTyped] = useState(query.query);
  const [seen, setSeen] = useState(query.query);
  // Back, forward and links change the search as well.
  if (seen !== query.query) {
    setSeen(query.query);
    setTyped(query.query);
  }
  const wanted = typed?.trim() === '' ? undefined : typed?.trim();

  const search = (): void => {
    if (wanted === query.query && query.level === 'all') reload();
    else change({ query: wanted, level: 'all' });
  };
  const clear = (): void => {
    setTyped(undefined);
    if (query.query !== undefined) change({ query: undefined, level: 'all' });
  };
  return (
    <search className={classes['search']} data-screen-only>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <div className={classes['field']}>
          <SearchField value={typed} onChange={setTyped} placeholder="Text in header, context or stack" maxLength={longest} />
        </div>
        <Button type="submit" variant={wanted === query.query ? 'default' : 'filled'}>
          Search
        </Button>
        <Button variant="subtle" color="neutral" px={8} leftSection={<IconX size={14} aria-hidden />} onClick={clear}>
          Clear
        </Button>
      </form>
    </search>
  );
}

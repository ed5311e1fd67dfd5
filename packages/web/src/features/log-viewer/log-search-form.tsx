import { Button, Switch, TextInput } from '@mantine/core';
import { addDays } from '@switchyard/contract/dates';
import { logSearchLimits, type LogSearchQuery } from '@switchyard/contract/log-search';
import { logFilterLabel, logLevels, type LogLevel } from '@switchyard/contract/log-viewer';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useOpenPath, useReadCurrentPath } from '../../shared/navigation.tsx';
import { todayIn } from '../../shared/time/today.ts';
import { DatePicker } from '../../shared/ui/date-picker/date-picker.tsx';
import { PickMany } from '../../shared/ui/pick-list.tsx';
import classes from './log-search-page.module.css';
import { type LogSource, searchPath } from './log-source.ts';

const levelOptions = logLevels.map((value) => ({ value, name: logFilterLabel(value) }));

/** Days of logs are days in UTC. */
const utc = '+00:00';

type Props = {
  source: LogSource;
  /** The query of the address, as text. */
  address: string;
  /** Null before the first search. */
  query: Omit<LogSearchQuery, 'secrets' | 'cursor'> | null;
  /** Why the expression cannot be searched for. */
  problem: string | undefined;
  isRunning: boolean;
  onRepeat: () => void;
};

type FormValues = {
  text: string;
  isRegex: boolean;
  levels: readonly LogLevel[];
  startDate: string | undefined;
  endDate: string | undefined;
};

/** What to search for. Submitting it changes the address. */
export function LogSearchForm({ source, address, query, problem, isRunning, onRepeat }: Props) {
  const openPath = useOpenPath();
  const readCurrentPath = useReadCurrentPath();
  const today = todayIn(utc);
  const firstDay = addDays(today, 1 - logSearchLimits.defaultDays);
  const valuesOf = (): FormValues => {
    const hasDays = query?.startDate !== undefined || query?.endDate !== undefined;
    return {
      text: query?.query ?? '',
      isRegex: query?.regex ?? false,
      levels: query?.level ?? [],
      startDate: hasDays ? query.startDate : firstDay,
      endDate: hasDays ? query.endDate : today,
    };
  };
  const [values, setValues] = useState(valuesOf);
  const [shownAddress, setShownAddress] = useState(address);
  // Not by a key, with which the form would lose the focus.
  if (shownAddress !== address) {
    setShownAddress(address);
    setValues(valuesOf());
  }
  const { text, isRegex, levels, startDate, endDate } = values;
  const set = (change: Partial<FormValues>): void => setValues({ ...values, ...change });

  const submit = (): void => {
    const term = text.trim() === '' ? undefined : text.trim();
    const target = searchPath(source, {
      query: term,
      regex: isRegex && term !== undefined ? '1' : undefined,
      level: [...levels],
      startDate: startDate ?? (endDate === undefined ? firstDay : undefined),
      endDate,
    });
    if (target === readCurrentPath()) onRepeat();
    else openPath(target);
  };
  return (
    <search className={classes['box']} data-screen-only>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className={classes['field']}>
          <TextInput
            type="search"
            label="Search"
            name="search"
            placeholder={isRegex ? 'RE2 expression, such as timeout|refused' : 'Text in header, context or stack'}
            maxLength={logSearchLimits.queryCharacters}
            enterKeyHint="search"
            autoComplete="off"
            spellCheck={false}
            leftSection={<IconSearch size={16} aria-hidden />}
            leftSectionPointerEvents="none"
            error={problem}
            value={text}
            onChange={(event) => set({ text: event.currentTarget.value })}
          />
        </div>
        <Switch
          className={classes['switch'] ?? ''}
          label="Regular expression"
          checked={isRegex}
          onChange={(event) => set({ isRegex: event.currentTarget.checked })}
        />
        <PickMany
          label="Levels"
          width={168}
          placeholder="All levels"
          options={levelOptions}
          value={levels}
          onChange={(chosen) => set({ levels: chosen })}
        />
        <DatePicker label="Start day" value={startDate} until={endDate} today={today} onChange={(day) => set({ startDate: day })} />
        <DatePicker label="End day" value={endDate} from={startDate} today={today} onChange={(day) => set({ endDate: day })} />
        <Button type="submit" disabled={isRunning}>
          Search
        </Button>
      </form>
      <p className={classes['help']}>
        {isRegex
          ? 'In any case unless the expression begins with (?-i). ^ and $ are the ends of lines. Look-arounds and back-references are not supported.'
          : 'In any case. Days are in UTC.'}
      </p>
    </search>
  );
}

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
  /** Null before the first search. */
  query: Omit<LogSearchQuery, 'secrets' | 'cursor'> | null;
  /** Why the expression cannot be searched for. */
  problem: string | undefined;
  isRunning: boolean;
  onRepeat: () => void;
};

/** What to search for. Submitting it changes the address. */
export function LogSearchForm({ source, query, problem, isRunning, onRepeat }: Props) {
  const openPath = useOpenPath();
  const readCurrentPath = useReadCurrentPath();
  const today = todayIn(utc);
  const firstDay = addDays(today, 1 - logSearchLimits.defaultDays);
  const [text, setText] = useState(query?.query ?? '');
  const [isRegex, setRegex] = useState(query?.regex ?? false);
  const [levels, setLevels] = useState<readonly LogLevel[]>(query?.level ?? []);
  const hasDays = query?.startDate !== undefined || query?.endDate !== undefined;
  const [startDate, setStart] = useState(hasDays ? query.startDate : firstDay);
  const [endDate, setEnd] = useState(hasDays ? query.endDate : today);

  const submit = (): void => {
    const term = text.trim() === '' ? undefined : text.trim();
    const address = searchPath(source, {
      query: term,
      regex: isRegex && term !== undefined ? '1' : undefined,
      level: [...levels],
      startDate: startDate ?? (endDate === undefined ? firstDay : undefined),
      endDate,
    });
    if (address === readCurrentPath()) onRepeat();
    else openPath(address);
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
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <Switch
          className={classes['switch'] ?? ''}
          label="Regular expression"
          checked={isRegex}
          onChange={(event) => setRegex(event.currentTarget.checked)}
        />
        <PickMany label="Levels" width={168} placeholder="All levels" options={levelOptions} value={levels} onChange={setLevels} />
        <DatePicker label="Start day" value={startDate} until={endDate} today={today} onChange={setStart} />
        <DatePicker label="End day" value={endDate} from={startDate} today={today} onChange={setEnd} />
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

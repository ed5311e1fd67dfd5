import '@mantine/dates/styles.css';
import './theme/calendar.css';
import { DatePickerInput, DatesProvider } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useId } from 'react';

type Props = {
  label: string;
  /** `YYYY-MM-DD` (WID-043). */
  value: string | undefined;
  onChange: (day: string | undefined) => void;
  /** The first or last day that may be chosen, `YYYY-MM-DD`. */
  from?: string | undefined;
  until?: string | undefined;
};

/** Weeks from Monday, always six of them, so that the calendar never changes its height. */
const weeks = { firstDayOfWeek: 1, consistentWeeks: true } as const;

/** Picks a day: weeks start on Monday, 42 days are shown, the choice can be cleared (WID-043, WID-046 to WID-048, CONST-019). */
export function DayPicker({ label, value, onChange, from, until }: Props) {
  const id = useId();
  return (
    <DatesProvider settings={weeks}>
      <DatePickerInput
        // The calendar's dialog takes its name from the element with this id.
        id={id}
        label={label}
        placeholder="Select day"
        valueFormat="DD.MM.YYYY"
        value={value ?? null}
        onChange={(day) => onChange(day ?? undefined)}
        {...(from === undefined ? {} : { minDate: from })}
        {...(until === undefined ? {} : { maxDate: until })}
        highlightToday
        clearable
        clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
        leftSection={<IconCalendar size={16} aria-hidden />}
        leftSectionPointerEvents="none"
        popoverProps={{ id, transitionProps: { duration: 120 }, withinPortal: false }}
        previousLabel="Previous month"
        nextLabel="Next month"
        w={142}
      />
    </DatesProvider>
  );
}

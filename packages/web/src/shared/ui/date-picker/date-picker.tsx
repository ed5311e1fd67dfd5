import '@mantine/dates/styles.css';
import '../theme/calendar.css';
import { DatePickerInput, DatesProvider, MonthPickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { firstDayOf, lastDayOf, periodOf, type PickerPeriod } from './picker-period.ts';

type Props = {
  label: string;
  period?: PickerPeriod;
  /** `YYYY-MM-DD`, `YYYY-ww` or `YYYY-MM`, as the period says; other text counts as nothing chosen. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** The first and last that may be chosen, in the form of the value. */
  from?: string | undefined;
  until?: string | undefined;
  /** Pixels. */
  width?: number;
};

/** Monday first and always six weeks, so that the calendar never changes its height: 42 cells (WID-047, CONST-019). */
const calendar = { locale: 'en', firstDayOfWeek: 1, consistentWeeks: true } as const;

const isoDay = new Intl.DateTimeFormat('sv-SE');

/** Today where the reader is, as the calendar marks it: `YYYY-MM-DD`. */
function today(): string {
  return isoDay.format(new Date());
}

/**
 * Picks a day, a week or a month and shows it in the form of its value; the choice can be cleared (WID-043 to WID-048).
 * The keyboard begins at what is chosen, or at today.
 */
export function DatePicker({ label, period = 'day', value, onChange, from, until, width = 148 }: Props) {
  const id = useId();
  const field = useRef<HTMLButtonElement>(null);
  const first = firstDayOf(period, value);
  const minDate = firstDayOf(period, from);
  const maxDate = lastDayOf(period, until);
  const shared = {
    // The calendar's dialog takes its name from the element with this id.
    id,
    label,
    placeholder: `Select ${period}`,
    value: first,
    onChange: (day: string | null) => {
      onChange(day === null ? undefined : periodOf(period, day));
      // The calendar or the cross goes with what was pressed in it.
      field.current?.focus();
    },
    ref: field,
    valueFormatter: () => (first === null ? '' : (value ?? '')),
    ...(minDate === null ? {} : { minDate }),
    ...(maxDate === null ? {} : { maxDate }),
    clearable: true,
    clearButtonProps: { 'aria-label': `Clear ${label.toLowerCase()}` },
    leftSection: <IconCalendar size={16} aria-hidden />,
    leftSectionPointerEvents: 'none',
    popoverProps: { id, transitionProps: { duration: 120 }, withinPortal: false },
    w: width,
  } as const;
  const atOnce = clamped(first ?? today(), minDate, maxDate);
  const autofocus = (day: string) => (day === atOnce ? { 'data-autofocus': true } : {});
  const months = { previousLabel: 'Previous month', nextLabel: 'Next month' };
  return (
    <DatesProvider settings={calendar}>
      {period === 'month' ? (
        <MonthPickerInput {...shared} previousLabel="Previous year" nextLabel="Next year" />
      ) : period === 'week' ? (
        <WeekInput {...shared} {...months} week={value} autofocus={autofocus} />
      ) : (
        <DatePickerInput {...shared} {...months} highlightToday getDayProps={autofocus} />
      )}
    </DatesProvider>
  );
}

type WeekInputProps = Parameters<typeof DatePickerInput<'default'>>[0] & {
  week: string | undefined;
  autofocus: (day: string) => Record<string, boolean>;
};

/** The calendar of days in which whole weeks are marked, with their numbers at the left. */
function WeekInput({ week, autofocus, ...rest }: WeekInputProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  return (
    <DatePickerInput
      {...rest}
      withWeekNumbers
      highlightToday
      onDropdownClose={() => setPointed(null)}
      getDayProps={(day) => {
        const own = periodOf('week', day);
        const isMarked = own !== undefined && (own === week || own === pointed);
        return {
          ...autofocus(day),
          selected: own === week && isEdge(day),
          inRange: isMarked,
          firstInRange: isMarked && day === firstDayOf('week', own),
          lastInRange: isMarked && day === lastDayOf('week', own),
          onMouseEnter: () => setPointed(own ?? null),
          onMouseLeave: () => setPointed(null),
        };
      }}
    />
  );
}

/** A day within bounds that may be open. */
function clamped(day: string, min: string | null, max: string | null): string {
  if (min !== null && day < min) return min;
  return max !== null && day > max ? max : day;
}

/** Whether a day begins or ends its week. */
function isEdge(day: string): boolean {
  const week = periodOf('week', day);
  return day === firstDayOf('week', week) || day === lastDayOf('week', week);
}

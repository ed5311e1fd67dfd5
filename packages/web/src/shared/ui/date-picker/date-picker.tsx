import '@mantine/dates/styles.css';
import '../theme/calendar.css';
import { DatePickerInput, DatesProvider, MonthPickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { firstDayOf, lastDayOf, periodOf, type PickerPeriod } from './picker-period.ts';

type Props = {
  label: string;
  period?: PickerPeriod;
  /** `YYYY-MM-DD`, `YYYY-ww` or `YYYY-MM`, depending on `period`. Any other text means no selection. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** `YYYY-MM-DD`; the day of the browser may be another than that of the console. */
  today: string;
  /** The first and last that may be chosen, in the form of the value. */
  from?: string | undefined;
  until?: string | undefined;
  /** Pixels. */
  width?: number;
};

/** Weeks start on Monday. Always six weeks (42 cells), so the height of the calendar does not change. */
const calendar = { locale: 'en', firstDayOfWeek: 1, consistentWeeks: true } as const;

/** Selects a day, a week or a month; the selection can be cleared. The focus starts at the selection, or at today. */
export function DatePicker({ label, period = 'day', value, onChange, today, from, until, width = 148 }: Props) {
  const id = useId();
  const field = useRef<HTMLButtonElement>(null);
  const first = firstDayOf(period, value);
  const minDate = firstDayOf(period, from);
  const maxDate = lastDayOf(period, until);
  const initialDay = clampDay(first ?? today, minDate, maxDate);
  const sharedProps = {
    // The calendar's dialog takes its name from the element with this id.
    id,
    label,
    placeholder: `Select ${period}`,
    value: first,
    onChange: (day: string | null) => {
      onChange(day === null ? undefined : periodOf(period, day));
      // The pressed element disappears with the calendar or with the selection.
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
    defaultDate: initialDay,
  } as const;
  const autofocus = (day: string) => (day === initialDay ? { 'data-autofocus': true } : {});
  // The kit alone would highlight the day of the browser.
  const getDayProps = (day: string) => ({ ...autofocus(day), ...(day === today && { 'data-today': true, highlightToday: true }) });
  const months = { previousLabel: 'Previous month', nextLabel: 'Next month' };
  return (
    <DatesProvider settings={calendar}>
      {period === 'month' ? (
        <MonthPickerInput
          {...sharedProps}
          getMonthControlProps={(month) => autofocus(month.slice(0, 7) === initialDay.slice(0, 7) ? initialDay : '')}
          previousLabel="Previous year"
          nextLabel="Next year"
        />
      ) : period === 'week' ? (
        <WeekInput {...sharedProps} {...months} week={value} dayProps={getDayProps} />
      ) : (
        <DatePickerInput {...sharedProps} {...months} getDayProps={getDayProps} />
      )}
    </DatesProvider>
  );
}

type WeekInputProps = Parameters<typeof DatePickerInput<'default'>>[0] & {
  week: string | undefined;
  dayProps: (day: string) => Record<string, boolean>;
};

/** A calendar with week numbers that selects whole weeks. */
function WeekInput({ week, dayProps, ...rest }: WeekInputProps) {
  const [pointedDay, setPointed] = useState<string | null>(null);
  return (
    <DatePickerInput
      {...rest}
      withWeekNumbers
      onDropdownClose={() => setPointed(null)}
      getDayProps={(day) => {
        const own = periodOf('week', day);
        const isMarked = own !== undefined && (own === week || own === pointedDay);
        return {
          ...dayProps(day),
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

/** Clamps a day to optional bounds. */
function clampDay(day: string, min: string | null, max: string | null): string {
  if (min !== null && day < min) return min;
  return max !== null && day > max ? max : day;
}

/** Whether a day begins or ends its week. */
function isEdge(day: string): boolean {
  const week = periodOf('week', day);
  return day === firstDayOf('week', week) || day === lastDayOf('week', week);
}

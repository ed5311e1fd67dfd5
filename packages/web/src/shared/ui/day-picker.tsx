import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';

type Props = {
  label: string;
  /** `YYYY-MM-DD` (WID-043). */
  value: string | undefined;
  onChange: (day: string | undefined) => void;
  /** The first or last day that may be chosen, `YYYY-MM-DD`. */
  from?: string | undefined;
  until?: string | undefined;
};

/** Picks a day: weeks start on Monday, 42 days are shown, the choice can be cleared (WID-043, WID-046 to WID-048, CONST-019). */
export function DayPicker({ label, value, onChange, from, until }: Props) {
  return (
    <DatePickerInput
      label={label}
      placeholder="Select day"
      valueFormat="DD.MM.YYYY"
      value={value ?? null}
      onChange={(day) => onChange(day ?? undefined)}
      {...(from === undefined ? {} : { minDate: from })}
      {...(until === undefined ? {} : { maxDate: until })}
      firstDayOfWeek={1}
      highlightToday
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      leftSection={<IconCalendar size={16} aria-hidden />}
      leftSectionPointerEvents="none"
      popoverProps={{ transitionProps: { duration: 120 } }}
      previousLabel="Previous month"
      nextLabel="Next month"
      w={142}
    />
  );
}

import { displayFilterDay, pickerDay } from '../time/filter-day.ts';
import { todayIn } from '../time/today.ts';
import { DatePicker } from '../ui/date-picker/date-picker.tsx';
import type { Filter } from './filter.ts';

/**
 * The first and the last day of a list, each bounding the other. Days are those of the server's offset. Apart from other
 * filters, so that lists without days do not load the calendar.
 */
export function dayFilters(offset: string): Record<'startDate' | 'endDate', Filter<string | undefined>> {
  const chips = (name: string) => (value: string) => [{ name, value: displayFilterDay(value, offset) ?? value }];
  return {
    startDate: {
      isBesideNext: true,
      dependsOn: 'endDate',
      field: ({ value, other, onChange }) => (
        <DatePicker
          label="Start day"
          value={pickerDay(value, offset)}
          until={pickerDay(other, offset)}
          today={todayIn(offset)}
          onChange={onChange}
        />
      ),
      chips: chips('From'),
    },
    endDate: {
      dependsOn: 'startDate',
      field: ({ value, other, onChange }) => (
        <DatePicker
          label="End day"
          value={pickerDay(value, offset)}
          from={pickerDay(other, offset)}
          today={todayIn(offset)}
          onChange={onChange}
        />
      ),
      chips: chips('Until'),
    },
  };
}

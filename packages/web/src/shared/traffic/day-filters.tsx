import { oneChip, type FilterChip } from '../listing/filter-chip.ts';
import { displayDay, pickerDay } from '../time/filter-day.ts';
import { useServerOffset } from '../time/server-time.ts';
import { DatePicker } from '../ui/date-picker/date-picker.tsx';

/** The stretch of time that a list may be narrowed to. */
type Days = { startDate?: string | undefined; endDate?: string | undefined };

/** The first and the last day of a list, each bounding the other. */
export function DayFilters({ values, set }: { values: Days; set: (patch: Days) => void }) {
  const offset = useServerOffset();
  const start = pickerDay(values.startDate, offset);
  const end = pickerDay(values.endDate, offset);
  return (
    <>
      <DatePicker label="Start day" value={start} until={end} onChange={(startDate) => set({ startDate })} />
      <DatePicker label="End day" value={end} from={start} onChange={(endDate) => set({ endDate })} />
    </>
  );
}

/** The days in effect, as they are removed from the filters. */
export function dayChips(query: Days, offset: string): FilterChip<Days>[] {
  return [
    ...oneChip<Days>('From', displayDay(query.startDate, offset), { startDate: undefined }),
    ...oneChip<Days>('Until', displayDay(query.endDate, offset), { endDate: undefined }),
  ];
}

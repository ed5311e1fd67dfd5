import { Button } from '@mantine/core';
import type { Board } from '@switchyard/contract/boards';
import { boardQuery, type BoardQuery, reportLimits, reportPeriods } from '@switchyard/contract/reports';
import { FilterBar } from '../../../shared/listing/filter-bar.tsx';
import { FilterChips } from '../../../shared/listing/filter-chips.tsx';
import { type AnyFilters, filterChips } from '../../../shared/listing/filter.ts';
import { parseListQuery } from '../../../shared/listing/list-query.ts';
import { useFilterDraft } from '../../../shared/listing/use-filter-draft.ts';
import { captureQuery, knownQuery } from '../../../shared/listing/views/view-address.ts';
import { Writes } from '../../../shared/ui/read-only.tsx';
import { Dropdown } from '../../../shared/ui/pick-list.tsx';
import { periodNames } from '../report-words.ts';
import { daysBeside } from '../use-report.ts';
import { useReportFilters } from '../use-report-filters.ts';

type Props = {
  board: Board;
  /** Period and filters in effect, as a query string. */
  query: string;
  onChange: (query: string) => void;
  /** Stores what is in effect with the board; null where it is stored or somebody else's. */
  onSave: (() => void) | null;
};

const none = parseListQuery(boardQuery, '');
const lengths = [1, 7, 14, 30, 90] as const;
const periodOptions = [
  ...lengths.map((days) => ({ value: `days ${days}`, name: days === 1 ? 'Today' : `Last ${days} days` })),
  ...reportPeriods.map((period) => ({ value: `period ${period}`, name: periodNames[period] })),
];

/** Period and filters of all tiles of a board. They take effect together, for the reader alone until they are saved. */
export function BoardFilters({ board, query: text, onChange, onSave }: Props) {
  const parsed = parseListQuery(boardQuery, text);
  const query = { ...parsed, ...boardDaysBeside(parsed) };
  const { startDate, endDate, ...others } = useReportFilters(query);
  // The first one is always in view, also on phones.
  const all: AnyFilters = { startDate, endDate, ...others };
  const filters = Object.fromEntries(Object.entries(all).filter(([name]) => name in boardQuery.shape));
  const change = (patch: Partial<BoardQuery>): void =>
    onChange(captureQuery(boardQuery, { ...query, ...patch, ...boardDaysBeside(patch) }));
  const draft = useFilterDraft<BoardQuery>({
    query,
    fingerprint: knownQuery(boardQuery, text),
    isLoading: false,
    view: 'rows',
    isFiltered: text !== '',
    change,
    clearFilters: () => onChange(''),
    reload: () => undefined,
  });
  const chips = filterChips(filters, query, none);
  const { days, period } = draft.values;
  return (
    <>
      <FilterBar
        filters={filters}
        draft={draft}
        furtherFields={
          <Dropdown
            label="Period"
            width={176}
            placeholder="As each tile has it"
            isClearable
            options={
              days === undefined || lengths.some((length) => length === days)
                ? periodOptions
                : [{ value: `days ${days}`, name: `Last ${days} days` }, ...periodOptions]
            }
            value={period === undefined ? (days === undefined ? undefined : `days ${days}`) : `period ${period}`}
            onChange={(choice) => draft.apply({ startDate: undefined, endDate: undefined, ...periodOf(choice) })}
          />
        }
        activeCount={chips.length}
        tools={
          onSave !== null && (
            <Writes>
              <Button variant="default" onClick={onSave}>
                Save for {board.role_ids.length + board.accounts.length === 0 ? 'this board' : 'all readers'}
              </Button>
            </Writes>
          )
        }
        views={null}
        columns={null}
        isClearable={text !== ''}
      />
      <FilterChips chips={chips} onRemove={({ removal }) => change(removal)} onClear={draft.clear} />
    </>
  );
}

function periodOf(choice: string | undefined): Pick<BoardQuery, 'period' | 'days'> {
  const [kind, value] = choice?.split(' ') ?? [];
  return {
    period: reportPeriods.find((period) => kind === 'period' && period === value),
    days: kind === 'days' ? Math.min(Number(value), reportLimits.days) : undefined,
  };
}

/** As `daysBeside` of reports. A board has no usual number of days: without one, each tile has its own. */
function boardDaysBeside(patch: Partial<BoardQuery>): Partial<BoardQuery> {
  const beside = daysBeside(patch);
  return 'days' in beside ? { ...beside, days: undefined } : beside;
}

/** Whether two query strings choose the same period and filters. */
export function isSameQuery(one: string, other: string): boolean {
  return knownQuery(boardQuery, one) === knownQuery(boardQuery, other);
}

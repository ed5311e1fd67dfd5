import { Box, Button, Group } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react';
import { Fragment, memo, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Dropdown } from '../ui/pick-list.tsx';
import classes from './filter-bar.module.css';
import type { AnyFilters, AnyQuery, Filter } from './filter.ts';
import type { FilterDraft } from './use-filter-draft.ts';

type Props = {
  filters: AnyFilters;
  draft: FilterDraft<AnyQuery>;
  /** Controls that set filters in another way, after the fields. */
  furtherFields: ReactNode;
  /** How many filters are in effect; shown on the button of phones. */
  activeCount: number;
  /** Buttons after 'Apply filter'. */
  tools: ReactNode;
  /** Opens and saves views. */
  views: ReactNode;
  /** Chooses the columns, at the far end; phones have cards without columns. */
  columns: ReactNode;
  /** Whether a button clears every filter. */
  isClearable: boolean;
};

/**
 * The filters of a list. Enter in a text field and 'Apply filter' put them into effect together; the button says 'Loading'
 * until the rows are there. The first filter is always in view; on phones the others are behind a button.
 */
export function FilterBar({ filters, draft, furtherFields, activeCount, tools, views, columns, isClearable }: Props) {
  const [isOpen, setOpen] = useState(false);
  const more = useId();
  const { form, hiddenFilters, add } = useAddedFilters(filters, draft.values);
  const [search, ...fields] = Object.entries(filters).flatMap(([name, filter]) => {
    if (filter.field === undefined || hiddenFilters.some(({ value }) => value === name)) return [];
    const other = filter.dependsOn === undefined ? undefined : draft.values[filter.dependsOn];
    const control = <FilterField name={name} draw={filter.field} value={draft.values[name]} other={other} set={draft.set} />;
    const field = filter.addAs === undefined ? control : <div data-filter={name}>{control}</div>;
    return [{ name, field, isBesideNext: filter.isBesideNext === true }];
  });
  if (search === undefined) return <ToolBar tools={tools} views={views} columns={columns} />;
  return (
    <search data-screen-only>
      <form
        ref={form}
        className={classes['bar']}
        onSubmit={(event) => {
          event.preventDefault();
          draft.apply();
        }}
      >
        <div className={classes['search']}>{search.field}</div>
        {fields.length > 0 && (
          <>
            <Button
              className={classes['more'] ?? ''}
              variant="default"
              leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
              aria-expanded={isOpen}
              aria-controls={more}
              onClick={() => setOpen(!isOpen)}
            >
              {activeCount === 0 ? 'Filters' : `Filters (${activeCount})`}
            </Button>
            <div id={more} className={classes['fields']} data-open={isOpen || undefined}>
              {linesOf(fields)}
              {hiddenFilters.length > 0 && (
                <Dropdown
                  // A list that closes takes the focus back, which belongs to the control that was added.
                  key={hiddenFilters.length}
                  label="Add filter"
                  placeholder="Choose"
                  width={124}
                  hasSearch
                  options={hiddenFilters}
                  value={undefined}
                  onChange={(name) => name !== undefined && add(name)}
                />
              )}
              {furtherFields}
            </div>
          </>
        )}
        <div className={classes['buttons']}>
          {isClearable && (
            <Button variant="subtle" color="neutral" px={8} leftSection={<IconX size={14} aria-hidden />} onClick={draft.clear}>
              Clear
            </Button>
          )}
          <Button
            className={classes['apply'] ?? ''}
            type="submit"
            variant={draft.isChanged ? 'filled' : 'default'}
            aria-busy={draft.isLoading || undefined}
          >
            {draft.isLoading ? 'Loading' : 'Apply filter'}
          </Button>
          {tools}
          <span className={classes['end']}>
            {views}
            <span className={classes['columns']}>{columns}</span>
          </span>
        </div>
      </form>
    </search>
  );
}

/** Filters that are added by name: those without a control yet, and a function that adds one and opens its control. */
function useAddedFilters(filters: AnyFilters, values: AnyQuery) {
  const form = useRef<HTMLFormElement>(null);
  const [shownNames, setShownNames] = useState<readonly string[]>([]);
  const [opening, setOpening] = useState<string | null>(null);
  // A control stays when its value is taken back, because it may be in use.
  const newNames = Object.keys(filters).filter(
    (name) => filters[name]?.addAs !== undefined && values[name] !== undefined && !shownNames.includes(name),
  );
  if (newNames.length > 0) setShownNames([...shownNames, ...newNames]);
  useEffect(() => {
    if (opening === null) return;
    const control = form.current?.querySelector<HTMLElement>(`[data-filter="${opening}"] :is(button, input)`);
    control?.focus();
    control?.click();
  }, [opening]);
  return {
    form,
    hiddenFilters: Object.entries(filters).flatMap(([value, { field, addAs: name }]) =>
      field === undefined || name === undefined || shownNames.includes(value) ? [] : [{ value, name }],
    ),
    add: (name: string) => {
      setShownNames([...shownNames, name]);
      setOpening(name);
    },
  };
}

type FilterFieldProps = {
  name: string;
  draw: NonNullable<Filter<unknown>['field']>;
  value: unknown;
  other: unknown;
  set: FilterDraft<AnyQuery>['set'];
};

/** The control of a filter. A key in one field, or rows that arrive, render no other one. */
const FilterField = memo(function FilterField({ name, draw, value, other, set }: FilterFieldProps) {
  return draw({ name, value, other, onChange: (next) => set({ [name]: next }) });
});

type Field = { name: string; field: ReactNode; isBesideNext: boolean };

/** Fields as they are laid out: those that belong beside each other stay in one line. */
function linesOf(fields: readonly Field[]): ReactNode[] {
  const lines: Field[][] = [];
  for (const [at, field] of fields.entries()) {
    if (fields[at - 1]?.isBesideNext === true) lines.at(-1)?.push(field);
    else lines.push([field]);
  }
  return lines.map((line) => {
    const shownFields = line.map(({ name, field }) => <Fragment key={name}>{field}</Fragment>);
    const [first] = line;
    return line.length === 1 ? (
      shownFields[0]
    ) : (
      <div key={first?.name} className={classes['line']}>
        {shownFields}
      </div>
    );
  });
}

/** The tools of a list without filters; nothing when there are none. */
function ToolBar({ tools, views, columns }: Pick<Props, 'tools' | 'views' | 'columns'>) {
  if (tools === undefined) return null;
  return (
    <Group justify="flex-end" gap={8} data-screen-only>
      {tools}
      {views}
      <Box visibleFrom="sm">{columns}</Box>
    </Group>
  );
}

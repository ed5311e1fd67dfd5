import { comparableText } from '@switchyard/contract/text-fields';
import { Button, Combobox, InputBase, useVirtualizedCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useId, useState } from 'react';
import { withMarks } from './hidden-characters.ts';
import { type OptionSource, useFoundRows, usePickedRows } from './option-source.ts';
import classes from './pick-list.module.css';
import { type PickOption, PickOptions } from './pick-options.tsx';
import { groupedNumber } from './text-format.ts';
import { VisibleText } from './visible-text.tsx';

type PickerProps<Value extends string> = {
  label: string;
  /** All options, or where the list loads those that its search finds. */
  options: readonly PickOption<Value>[] | OptionSource<unknown, Value>;
  /** Options of a source that the list leaves out. */
  hides?: (value: Value) => boolean;
  /** Shown while nothing is picked. */
  placeholder?: string;
  isDisabled?: boolean;
  /** Set when the options could not be loaded: loads them again. The options that are there can still be picked. */
  onRetry?: (() => void) | undefined;
};

type DropdownProps<Value extends string> = PickerProps<Value> & {
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  /** Width in pixels, or that of the container. */
  width?: number | '100%';
  /** Whether the choice can be taken back. */
  isClearable?: boolean;
  /** Whether there is a search field however few options there are. */
  hasSearch?: boolean;
};

/** Picks one out of a list; without a match it says 'Sorry, no matching options.'. */
export function Dropdown<Value extends string>(props: DropdownProps<Value>) {
  const { label, options, value, onChange, placeholder = 'Select', width = 200, isDisabled = false, isClearable = false } = props;
  const nameOf = useNames(options, value === undefined ? [] : [value]);
  return (
    <PickList
      label={label}
      options={options}
      hides={props.hides}
      pickedValues={value === undefined ? [] : [value]}
      onPick={onChange}
      isMany={false}
      hasSearch={props.hasSearch}
      shownLabel={value === undefined ? null : nameOf(value)}
      placeholder={placeholder}
      width={width}
      isDisabled={isDisabled}
      onRetry={props.onRetry}
      onClear={isClearable && value !== undefined && !isDisabled ? () => onChange(undefined) : undefined}
    />
  );
}

type PickManyProps<Value extends string> = PickerProps<Value> & {
  value: readonly Value[];
  onChange: (value: Value[]) => void;
  /** Width in pixels, or that of the container. */
  width?: number | '100%';
};

/** Picks any number out of a list. The field stays one line high whatever is picked. */
export function PickMany<Value extends string>(props: PickManyProps<Value>) {
  const { label, options, value, onChange, placeholder = 'Any', width = 168, isDisabled = false } = props;
  const nameOf = useNames(options, value.slice(0, titleNames + 1));
  const names = value.map(nameOf);
  return (
    <PickList
      label={label}
      options={options}
      hides={props.hides}
      pickedValues={value}
      onPick={(pickedValue) =>
        onChange(value.includes(pickedValue) ? value.filter((other) => other !== pickedValue) : [...value, pickedValue])
      }
      isMany
      shownLabel={names.length > 1 ? `${names.length} selected` : (names[0] ?? null)}
      title={names.length > titleNames ? `${names.slice(0, titleNames).join(', ')}, …` : names.join(', ')}
      placeholder={placeholder}
      width={width}
      isDisabled={isDisabled}
      onRetry={props.onRetry}
    />
  );
}

/** The most names that the tooltip of a field lists. */
const titleNames = 12;

type Options<Value extends string> = PickerProps<Value>['options'];

function sourceOf<Value extends string>(options: Options<Value>): OptionSource<unknown, Value> | null {
  return 'load' in options ? options : null;
}

/** The names of picked options; the value itself while no option has it. */
function useNames<Value extends string>(options: Options<Value>, pickedValues: readonly Value[]): (value: Value) => string {
  const source = sourceOf(options);
  const rows = usePickedRows(source, pickedValues);
  return (value) => {
    if ('load' in options) return rows.has(value) ? options.optionOf(rows.get(value)).name : value;
    return options.find((option) => option.value === value)?.name ?? value;
  };
}

type PickListProps<Value extends string> = Omit<PickerProps<Value>, 'hides'> & {
  hides: PickerProps<Value>['hides'];
  pickedValues: readonly Value[];
  /** An option was chosen, or chosen again. */
  onPick: (value: Value) => void;
  hasSearch?: boolean | undefined;
  /** The list stays open and marks what is picked by boxes. */
  isMany: boolean;
  /** Text of the field; null shows the placeholder. */
  shownLabel: string | null;
  /** Tooltip of the field; its text unless given. */
  title?: string;
  /** Width of the field in pixels, or that of the container; the list may be wider. */
  width: number | '100%';
  /** Clears the field; shown as a button at its end. */
  onClear?: (() => void) | undefined;
};

/** Lists with at least this many options have a search field. */
const searchableFrom = 10;

/** A field that opens a list to pick from; the list mounts only the options in view, so thousands open at once. */
function PickList<Value extends string>(props: PickListProps<Value>) {
  const { label, pickedValues, isMany, shownLabel, title = shownLabel ?? '', placeholder, width, isDisabled = false, onClear } = props;
  const { id, combobox, isSearchable, search, find, matches, markedIndex, pick, found } = usePicking(props);
  const onRetry = found.retry ?? props.onRetry;
  const listId = `${id}-list`;
  return (
    // One wrapper, because width rules of forms for their fields must not apply to the list.
    <div style={{ width }}>
      <Combobox
        store={combobox}
        width={width === '100%' ? 'target' : Math.max(width, isSearchable ? 240 : 160)}
        position="bottom-start"
        withinPortal={false}
        resetSelectionOnOptionHover={false}
        disabled={isDisabled}
        // Closed lists would be placed, which lays the page out, whenever a field is mounted.
        keepMounted={false}
      >
        <Combobox.Target targetType="button" withExpandedAttribute>
          <InputBase
            component="button"
            type="button"
            label={label}
            pointer
            disabled={isDisabled}
            {...(shownLabel !== null && { title: withMarks(title) })}
            rightSection={
              onClear === undefined ? (
                <Combobox.Chevron />
              ) : (
                <Combobox.ClearButton
                  aria-label={`Clear ${label.toLowerCase()}`}
                  aria-hidden={false}
                  tabIndex={0}
                  onClear={() => {
                    onClear();
                    combobox.focusTarget();
                  }}
                />
              )
            }
            rightSectionPointerEvents={onClear === undefined ? 'none' : 'all'}
            onClick={() => combobox.toggleDropdown()}
          >
            <span className={classes['shown']} data-empty={shownLabel === null || undefined}>
              {shownLabel === null ? placeholder : <VisibleText text={shownLabel} />}
            </span>
          </InputBase>
        </Combobox.Target>
        <Combobox.Dropdown>
          {isSearchable && (
            <Combobox.Search
              {...searchSemantics(combobox.dropdownOpened, listId)}
              value={search}
              placeholder="Type to find"
              aria-label={`Find in ${label.toLowerCase()}`}
              onChange={(event) => find(event.currentTarget.value)}
            />
          )}
          {onRetry !== undefined && (
            <div className={classes['failure']} role="alert">
              The options could not be loaded.
              <Button size="compact-xs" variant="default" onClick={onRetry}>
                Retry
              </Button>
            </div>
          )}
          {matches.length === 0 && (onRetry === undefined || search.trim() !== '') && (
            <Combobox.Empty>{found.isLoading ? 'Loading ...' : 'Sorry, no matching options.'}</Combobox.Empty>
          )}
          {matches.length > 0 && combobox.dropdownOpened && (
            <PickOptions
              id={listId}
              label={label}
              options={matches}
              pickedValues={pickedValues}
              isMany={isMany}
              markedIndex={markedIndex}
              optionId={(index) => `${id}-${index}`}
              onToggle={pick}
            />
          )}
          {found.total > found.loaded && (
            <Combobox.Footer>
              <output className={classes['more']}>
                {groupedNumber(found.loaded)} of {groupedNumber(found.total)}. Type to find others.
              </output>
            </Combobox.Footer>
          )}
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}

/** The state of an open list: the search, the matching options and the one that the keyboard marks. */
function usePicking<Value extends string>({
  options: given,
  hides,
  pickedValues,
  onPick,
  isMany,
  hasSearch = false,
}: PickListProps<Value>) {
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [markedIndex, setMarkedIndex] = useState(-1);
  const id = useId();
  const found = useFound(given, { search, isOpen });
  const needle = comparableText(search.trim());
  const options = 'load' in given ? found.options : given;
  const matches = (
    'load' in given || needle === '' ? options : options.filter((option) => comparableText(option.name).includes(needle))
  ).filter(({ value }) => hides?.(value) !== true);
  // Selecting may remove options; the search field must not disappear while it is in use.
  const [keepsSearch, setKeepsSearch] = useState(false);
  const isSearchable = hasSearch || 'load' in given || options.length >= searchableFrom || keepsSearch;

  function pick(index: number): void {
    const option = matches[index];
    if (option === undefined) return;
    onPick(option.value);
    setMarkedIndex(index);
    if (!isMany) combobox.closeDropdown();
  }
  const find = (text: string): void => {
    setSearch(text);
    setMarkedIndex(0);
  };
  const firstPicked = (): number =>
    Math.max(
      0,
      options.findIndex((option) => pickedValues.includes(option.value)),
    );

  const combobox = useVirtualizedCombobox({
    totalOptionsCount: matches.length,
    getOptionId: (index) => `${id}-${index}`,
    selectedOptionIndex: markedIndex,
    setSelectedOptionIndex: setMarkedIndex,
    // Enter must not pick from what an earlier search found.
    onSelectedOptionSubmit: (index) => {
      if (!found.isBehind) pick(index);
    },
    onDropdownOpen: () => {
      setOpen(true);
      setMarkedIndex(isMany ? 0 : firstPicked());
      setKeepsSearch(isSearchable);
      combobox.focusSearchInput();
    },
    onDropdownClose: () => {
      setOpen(false);
      setSearch('');
      setKeepsSearch(false);
      if (isSearchable) combobox.focusTarget();
    },
  });
  return { id, combobox, isSearchable, search, find, matches, markedIndex, pick, found };
}

/** Milliseconds without a key after which a source is searched. */
const searchDelay = 200;

/** What the search of an open list finds in a source; nothing for options that are all there. */
function useFound<Value extends string>(given: Options<Value>, { search, isOpen }: { search: string; isOpen: boolean }) {
  const source = sourceOf(given);
  const [needle] = useDebouncedValue(search.trim(), searchDelay);
  const { data, isError, isFetching, isPlaceholderData, refetch } = useFoundRows(isOpen ? source : null, needle);
  const rows = data?.rows ?? [];
  const isWaiting = source !== null && needle !== search.trim();
  return {
    options: source === null ? [] : rows.map((row) => source.optionOf(row)),
    loaded: rows.length,
    total: data?.total ?? 0,
    isLoading: isFetching || isWaiting,
    /** The options are those of an earlier search. */
    isBehind: isPlaceholderData || isWaiting,
    retry: isError ? () => void refetch() : undefined,
  };
}

/** The search field is a combobox that controls the list. The kit sets the id of the list one render too late. */
function searchSemantics(isOpen: boolean, listId: string) {
  return { role: 'combobox', 'aria-expanded': isOpen, 'aria-autocomplete': 'list', 'aria-controls': listId } as const;
}

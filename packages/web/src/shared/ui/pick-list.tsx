import { comparableText } from '@switchyard/contract/text-fields';
import { Button, Combobox, InputBase, useVirtualizedCombobox } from '@mantine/core';
import { useId, useState } from 'react';
import { withMarks } from './hidden-characters.ts';
import classes from './pick-list.module.css';
import { type PickOption, PickOptions } from './pick-options.tsx';
import { VisibleText } from './visible-text.tsx';

type PickerProps<Value extends string> = {
  label: string;
  options: readonly PickOption<Value>[];
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
  return (
    <PickList
      label={label}
      options={options}
      pickedValues={value === undefined ? [] : [value]}
      onPick={onChange}
      isMany={false}
      hasSearch={props.hasSearch}
      shownLabel={value === undefined ? null : nameIn(options, value)}
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
  const names = value.map((one) => nameIn(options, one));
  return (
    <PickList
      label={label}
      options={options}
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

/** The name of an option; the value itself while no option has it. */
function nameIn<Value extends string>(options: readonly PickOption<Value>[], value: Value): string {
  return options.find((option) => option.value === value)?.name ?? value;
}

type PickListProps<Value extends string> = PickerProps<Value> & {
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
  const {
    label,
    pickedValues,
    isMany,
    shownLabel,
    title = shownLabel ?? '',
    placeholder,
    width,
    isDisabled = false,
    onClear,
    onRetry,
  } = props;
  const { id, combobox, isSearchable, search, find, matches, markedIndex, pick } = usePicking(props);
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
            <Combobox.Empty>Sorry, no matching options.</Combobox.Empty>
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
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}

/** The state of an open list: the search, the matching options and the one that the keyboard marks. */
function usePicking<Value extends string>({ options, pickedValues, onPick, isMany, hasSearch = false }: PickListProps<Value>) {
  const [search, setSearch] = useState('');
  const [markedIndex, setMarkedIndex] = useState(-1);
  const id = useId();
  const needle = comparableText(search.trim());
  const matches = needle === '' ? options : options.filter((option) => comparableText(option.name).includes(needle));
  // Selecting may remove options; the search field must not disappear while it is in use.
  const [keepsSearch, setKeepsSearch] = useState(false);
  const isSearchable = hasSearch || options.length >= searchableFrom || keepsSearch;

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
    onSelectedOptionSubmit: pick,
    onDropdownOpen: () => {
      setMarkedIndex(isMany ? 0 : firstPicked());
      setKeepsSearch(isSearchable);
      combobox.focusSearchInput();
    },
    onDropdownClose: () => {
      setSearch('');
      setKeepsSearch(false);
      if (isSearchable) combobox.focusTarget();
    },
  });
  return { id, combobox, isSearchable, search, find, matches, markedIndex, pick };
}

/** The search field is a combobox that controls the list. The kit sets the id of the list one render too late. */
function searchSemantics(isOpen: boolean, listId: string) {
  return { role: 'combobox', 'aria-expanded': isOpen, 'aria-autocomplete': 'list', 'aria-controls': listId } as const;
}

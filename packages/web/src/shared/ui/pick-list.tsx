import { Button, Combobox, InputBase, useVirtualizedCombobox } from '@mantine/core';
import { useId, useState } from 'react';
import { withMarks } from './hidden-characters.ts';
import classes from './pick-list.module.css';
import { type PickOption, PickOptions } from './pick-options.tsx';
import { VisibleText } from './visible-text.tsx';

type DropdownProps<Value extends string> = {
  label: string;
  options: readonly PickOption<Value>[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  /** Shown while nothing is picked. */
  placeholder?: string;
  width?: number;
  isDisabled?: boolean;
  /** Set when the options could not be loaded: loads them again. */
  onRetry?: (() => void) | undefined;
  /** Whether the choice can be taken back. */
  isClearable?: boolean;
};

/** Picks one out of a list; without a match it says 'Sorry, no matching options.'. */
export function Dropdown<Value extends string>(props: DropdownProps<Value>) {
  const { label, options, value, onChange, placeholder = 'Select', width = 200, isDisabled = false, isClearable = false } = props;
  return (
    <PickList
      label={label}
      options={options}
      picked={value === undefined ? [] : [value]}
      onPick={onChange}
      isMany={false}
      shown={value === undefined ? null : nameIn(options, value)}
      placeholder={placeholder}
      width={width}
      isDisabled={isDisabled}
      onRetry={props.onRetry}
      onClear={isClearable && value !== undefined && !isDisabled ? () => onChange(undefined) : undefined}
    />
  );
}

type PickManyProps<Value extends string> = {
  label: string;
  options: readonly PickOption<Value>[];
  value: readonly Value[];
  onChange: (value: Value[]) => void;
  /** Shown while nothing is picked. */
  placeholder?: string;
  /** Pixels, or as wide as what it stands in. */
  width?: number | '100%';
  isDisabled?: boolean;
  /** Set when the options could not be loaded: loads them again. */
  onRetry?: (() => void) | undefined;
};

/** Picks any number out of a list. The field stays one line high whatever is picked. */
export function PickMany<Value extends string>(props: PickManyProps<Value>) {
  const { label, options, value, onChange, placeholder = 'Any', width = 168, isDisabled = false } = props;
  const names = value.map((one) => nameIn(options, one));
  return (
    <PickList
      label={label}
      options={options}
      picked={value}
      onPick={(picked) => onChange(value.includes(picked) ? value.filter((other) => other !== picked) : [...value, picked])}
      isMany
      shown={names.length > 1 ? `${names.length} selected` : (names[0] ?? null)}
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

type PickListProps<Value extends string> = {
  label: string;
  options: readonly PickOption<Value>[];
  picked: readonly Value[];
  /** An option was chosen, or chosen again. */
  onPick: (value: Value) => void;
  /** The list stays open and marks what is picked by boxes. */
  isMany: boolean;
  /** What the field says; its placeholder when it is null. */
  shown: string | null;
  /** Tooltip of the field; what it says unless given. */
  title?: string;
  placeholder: string;
  /** Pixels of the field, or as wide as what it stands in; the list may be wider. */
  width: number | '100%';
  isDisabled?: boolean;
  /** Clears the field; shown as a button at its end. */
  onClear?: (() => void) | undefined;
  /** Set when the options could not be loaded: loads them again. What is known can still be picked. */
  onRetry?: (() => void) | undefined;
};

/** Lists with at least this many options have a search field. */
const searchableFrom = 10;

/** A field that opens a list to pick from; the list mounts only the options in view, so thousands open at once. */
function PickList<Value extends string>(props: PickListProps<Value>) {
  const {
    label,
    options,
    picked,
    onPick,
    isMany,
    shown,
    title = shown ?? '',
    placeholder,
    width,
    isDisabled = false,
    onClear,
    onRetry,
  } = props;
  const [search, setSearch] = useState('');
  const [marked, setMarked] = useState(-1);
  const id = useId();
  const listId = `${id}-list`;
  const needle = search.trim().toLowerCase();
  const found = needle === '' ? options : options.filter((option) => option.name.toLowerCase().includes(needle));
  // Selecting may remove options; the search field must not disappear while it is in use.
  const [keepsSearch, setKeepsSearch] = useState(false);
  const isSearchable = options.length >= searchableFrom || keepsSearch;

  function pick(index: number): void {
    const option = found[index];
    if (option === undefined) return;
    onPick(option.value);
    setMarked(index);
    if (!isMany) combobox.closeDropdown();
  }

  const combobox = useVirtualizedCombobox({
    totalOptionsCount: found.length,
    getOptionId: (index) => `${id}-${index}`,
    selectedOptionIndex: marked,
    setSelectedOptionIndex: setMarked,
    onSelectedOptionSubmit: pick,
    onDropdownOpen: () => {
      setMarked(
        isMany
          ? 0
          : Math.max(
              0,
              options.findIndex((option) => picked.includes(option.value)),
            ),
      );
      setKeepsSearch(isSearchable);
      combobox.focusSearchInput();
    },
    onDropdownClose: () => {
      setSearch('');
      setKeepsSearch(false);
      if (isSearchable) combobox.focusTarget();
    },
  });

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
      >
        <Combobox.Target targetType="button" withExpandedAttribute>
          <InputBase
            component="button"
            type="button"
            label={label}
            pointer
            disabled={isDisabled}
            {...(shown !== null && { title: withMarks(title) })}
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
            <span className={classes['shown']} data-empty={shown === null || undefined}>
              {shown === null ? placeholder : <VisibleText text={shown} />}
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
              onChange={(event) => {
                setSearch(event.currentTarget.value);
                setMarked(0);
              }}
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
          {found.length === 0 && (onRetry === undefined || needle !== '') && <Combobox.Empty>Sorry, no matching options.</Combobox.Empty>}
          {found.length > 0 && combobox.dropdownOpened && (
            <PickOptions
              id={listId}
              label={label}
              options={found}
              picked={picked}
              isMany={isMany}
              marked={marked}
              optionId={(index) => `${id}-${index}`}
              onToggle={pick}
            />
          )}
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}

/** The search field is a combobox that controls the list. The kit sets the id of the list one render too late. */
function searchSemantics(isOpen: boolean, listId: string) {
  return { role: 'combobox', 'aria-expanded': isOpen, 'aria-autocomplete': 'list', 'aria-controls': listId } as const;
}

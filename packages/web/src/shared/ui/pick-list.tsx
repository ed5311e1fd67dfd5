import { Combobox, InputBase, useVirtualizedCombobox } from '@mantine/core';
import { useId, useState } from 'react';
import { PickOptions, type PickOption } from './pick-options.tsx';
import { VisibleText } from './visible-text.tsx';

type Props<Value extends string> = {
  label: string;
  options: readonly PickOption<Value>[];
  picked: readonly Value[];
  /** An option was chosen, or chosen again. */
  onPick: (value: Value) => void;
  /** The list stays open and marks what is picked by boxes. */
  isMany: boolean;
  /** What the field says; its placeholder when it is null. */
  shown: string | null;
  placeholder: string;
  /** Pixels of the field, or as wide as what it stands in; the list may be wider. */
  width: number | '100%';
  isDisabled?: boolean;
  /** Empties the field by a cross at its end. */
  onClear?: (() => void) | undefined;
};

/** From so many options on the list can be searched. */
const searchableFrom = 10;

/** A field that opens a list to pick from; the list mounts only the options in view, so thousands open at once. */
export function PickList<Value extends string>(props: Props<Value>) {
  const { label, options, picked, onPick, isMany, shown, placeholder, width, isDisabled = false, onClear } = props;
  const [search, setSearch] = useState('');
  const [marked, setMarked] = useState(-1);
  const id = useId();
  const listId = `${id}-list`;
  const needle = search.trim().toLowerCase();
  const found = needle === '' ? options : options.filter((option) => option.name.toLowerCase().includes(needle));
  // Picking may take options away; the search must not vanish from under the keyboard.
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
    // Field and list in one box: what a form says of the width of its fields must not reach the list.
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
            {shown !== null ? (
              <VisibleText text={shown} />
            ) : (
              <span style={{ color: 'var(--mantine-color-placeholder)' }}>{placeholder}</span>
            )}
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
          {found.length === 0 && <Combobox.Empty>Sorry, no matching options.</Combobox.Empty>}
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

/** The search field is a combobox over the list; the kit names its list only one rendering later. */
function searchSemantics(isOpen: boolean, listId: string) {
  return { role: 'combobox', 'aria-expanded': isOpen, 'aria-autocomplete': 'list', 'aria-controls': listId } as const;
}

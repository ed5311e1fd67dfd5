import { Combobox, InputBase, useVirtualizedCombobox } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { PickManyOptions } from './pick-many-options.tsx';

/** One thing to pick: what is stored, what is shown and found by typing, and what stands before it. */
export type PickOption<Value extends string> = { value: Value; name: string; icon?: ReactNode };

type Props<Value extends string> = {
  label: string;
  options: readonly PickOption<Value>[];
  value: readonly Value[];
  onChange: (value: Value[]) => void;
  /** Shown while nothing is picked. */
  placeholder?: string;
  width?: number;
};

/** From so many options on the list can be searched. */
const searchableFrom = 10;

/**
 * Picks any number out of a list. The field stays one line high whatever is picked; the list mounts only the options
 * in view, so hundreds open at once.
 */
export function PickMany<Value extends string>({ label, options, value, onChange, placeholder = 'Any', width = 168 }: Props<Value>) {
  const [search, setSearch] = useState('');
  const [marked, setMarked] = useState(-1);
  const id = useId();
  const listId = `${id}-list`;
  const found = options.filter((option) => option.name.toLowerCase().includes(search.trim().toLowerCase()));

  function toggle(index: number): void {
    const picked = found[index]?.value;
    if (picked === undefined) return;
    onChange(value.includes(picked) ? value.filter((other) => other !== picked) : [...value, picked]);
    setMarked(index);
  }

  const combobox = useVirtualizedCombobox({
    totalOptionsCount: found.length,
    getOptionId: (index) => `${id}-${index}`,
    selectedOptionIndex: marked,
    setSelectedOptionIndex: setMarked,
    onSelectedOptionSubmit: toggle,
    onDropdownOpen: () => {
      setMarked(0);
      combobox.focusSearchInput();
    },
    onDropdownClose: () => {
      setSearch('');
      if (options.length >= searchableFrom) combobox.focusTarget();
    },
  });

  const names = value.map((picked) => options.find((option) => option.value === picked)?.name ?? picked);
  return (
    <Combobox
      store={combobox}
      width={Math.max(width, 240)}
      position="bottom-start"
      withinPortal={false}
      resetSelectionOnOptionHover={false}
    >
      <Combobox.Target targetType="button" withExpandedAttribute>
        <InputBase
          component="button"
          type="button"
          label={label}
          pointer
          w={width}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          {names.length === 0 ? (
            <span style={{ color: 'var(--mantine-color-placeholder)' }}>{placeholder}</span>
          ) : names.length === 1 ? (
            names[0]
          ) : (
            `${names.length} selected`
          )}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        {options.length >= searchableFrom && (
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
          <PickManyOptions
            id={listId}
            label={label}
            options={found}
            picked={value}
            marked={marked}
            optionId={(index) => `${id}-${index}`}
            onToggle={toggle}
          />
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The search field is a combobox over the list; the kit names its list only one rendering later. */
function searchSemantics(isOpen: boolean, listId: string) {
  return { role: 'combobox', 'aria-expanded': isOpen, 'aria-autocomplete': 'list', 'aria-controls': listId } as const;
}

import { Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dropdown, PickMany } from '../ui/pick-list.tsx';
import type { OptionSource } from '../ui/option-source.ts';
import type { PickOption } from '../ui/pick-options.tsx';
import { chipsOfMany, type Filter } from './filter.ts';
import { SearchField } from './search-field.tsx';

type SearchProps = {
  placeholder: string;
  /** Longest text that the server takes. */
  maxLength?: number;
  /** A button at the end of the field, and its width in pixels. */
  end?: { button: (search: (text: string) => void) => ReactNode; width: number } | undefined;
};

/** The search of a list. */
export function searchFilter({ placeholder, maxLength = 255, end }: SearchProps): Filter<string | undefined> {
  return {
    field: ({ value, onChange }) => (
      <SearchField
        value={value}
        onChange={onChange}
        placeholder={placeholder}
        maxLength={maxLength}
        end={end && { button: end.button(onChange), width: end.width }}
      />
    ),
    chips: (value) => [{ name: 'Search', value }],
  };
}

type TextProps = {
  label: string;
  /** Name of its chip; the label unless given. */
  chip?: string;
  placeholder?: string;
  /** Longest text that the server takes. */
  maxLength: number;
  /** Pixels; as wide as its place when absent. */
  width?: number;
};

/** A filter by a text. Enter applies it, because it is inside the form of the filter bar. */
export function textFilter({ label, chip = label, placeholder = 'Contains', maxLength, width }: TextProps): Filter<string | undefined> {
  return {
    field: ({ name, value, onChange }) => (
      <TextInput
        label={label}
        name={name}
        placeholder={placeholder}
        maxLength={maxLength}
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        {...(width === undefined ? {} : { w: width })}
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      />
    ),
    chips: (value) => [{ name: chip, value }],
  };
}

type PickProps<Value extends string> = {
  label: string;
  width: number;
  options: readonly PickOption<Value>[] | OptionSource<unknown, Value>;
  /** Set when the options could not be loaded: loads them again. */
  onRetry?: (() => void) | undefined;
};

type NamedPickProps<Value extends string> = PickProps<Value> & {
  /** A value as its chip says it; the name of its option unless given. */
  nameOf?: (value: Value) => string;
};

/** A filter by one of several values, or by none. */
export function choiceFilter<Value extends string>({
  label,
  width,
  options,
  onRetry,
  nameOf,
}: NamedPickProps<Value>): Filter<Value | undefined> {
  return {
    field: ({ value, onChange }) => (
      <Dropdown
        label={label}
        width={width}
        placeholder="Any"
        isClearable
        options={options}
        onRetry={onRetry}
        value={value}
        onChange={onChange}
      />
    ),
    chips: (value) => [{ name: label, value: nameOf === undefined ? nameIn(options, value) : nameOf(value) }],
  };
}

type YesNoProps = { label: string; width: number; yes: string; no: string };

/** A filter by whether something is so. `yes` and `no` are its options in words. */
export function yesNoFilter({ label, width, yes, no }: YesNoProps): Filter<boolean | undefined> {
  const options = [
    { value: 'yes', name: yes },
    { value: 'no', name: no },
  ];
  return {
    field: ({ value, onChange }) => (
      <Dropdown
        label={label}
        width={width}
        placeholder="Any"
        isClearable
        options={options}
        value={value === undefined ? undefined : value ? 'yes' : 'no'}
        onChange={(choice) => onChange(choice === undefined ? undefined : choice === 'yes')}
      />
    ),
    chips: (value) => [{ name: label, value: value ? yes : no }],
  };
}

/** A filter by any number of values. */
export function manyFilter<Value extends string>({
  label,
  width,
  options,
  onRetry,
  nameOf,
}: NamedPickProps<Value>): Filter<Value[] | undefined> {
  return {
    field: ({ value, onChange }) => (
      <PickMany
        label={label}
        width={width}
        options={options}
        onRetry={onRetry}
        value={value ?? []}
        onChange={(pickedValues) => onChange(pickedValues.length === 0 ? undefined : pickedValues)}
      />
    ),
    chips: (values) => chipsOfMany(label, values, nameOf ?? ((value) => nameIn(options, value))),
  };
}

/** The name of an option; the value itself while no option has it. */
function nameIn<Value extends string>(options: PickProps<Value>['options'], value: Value): string {
  return 'load' in options ? value : (options.find((option) => option.value === value)?.name ?? value);
}

type SwitchProps = { label: string; title?: string; isOn: boolean; onChange: (isOn: boolean) => void };

/** A switch of the filter bar. */
export function FilterSwitch({ label, title, isOn, onChange }: SwitchProps) {
  return <Switch label={label} size="sm" h={32} checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} title={title} />;
}

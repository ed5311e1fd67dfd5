import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

type Props = {
  value: string | undefined;
  onChange: (text: string | undefined) => void;
  placeholder: string;
  /** Longest text the server takes. */
  maxLength: number;
};

/** The search of a list; Enter applies it, because it stands in the filter bar's form. */
export function SearchField({ value, onChange, placeholder, maxLength }: Props) {
  return (
    <TextInput
      type="search"
      label="Search"
      name="search"
      placeholder={placeholder}
      maxLength={maxLength}
      enterKeyHint="search"
      autoComplete="off"
      spellCheck={false}
      leftSection={<IconSearch size={16} aria-hidden />}
      leftSectionPointerEvents="none"
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
    />
  );
}

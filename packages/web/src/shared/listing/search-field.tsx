import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type Props = {
  value: string | undefined;
  onChange: (text: string | undefined) => void;
  placeholder: string;
  /** Longest text the server takes. */
  maxLength: number;
  /** A button at the end of the field, and its width in pixels. */
  end?: { button: ReactNode; width: number } | undefined;
};

/** The search of a list. Enter applies it, because it is inside the form of the filter bar. */
export function SearchField({ value, onChange, placeholder, maxLength, end }: Props) {
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
      rightSection={end?.button}
      {...(end === undefined ? {} : { rightSectionWidth: end.width })}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
    />
  );
}

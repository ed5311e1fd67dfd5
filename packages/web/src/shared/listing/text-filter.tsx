import { TextInput } from '@mantine/core';

type Props = {
  label: string;
  /** Name of the parameter. */
  name: string;
  value: string | undefined;
  onChange: (text: string | undefined) => void;
  /** Longest text the server takes. */
  maxLength: number;
  /** Pixels; as wide as its place when absent. */
  width?: number;
};

/** A filter by part of a text; Enter applies it, because it stands in the filter bar's form. */
export function TextFilter({ label, name, value, onChange, maxLength, width }: Props) {
  return (
    <TextInput
      label={label}
      name={name}
      placeholder="Contains"
      maxLength={maxLength}
      enterKeyHint="search"
      autoComplete="off"
      spellCheck={false}
      {...(width === undefined ? {} : { w: width })}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
    />
  );
}

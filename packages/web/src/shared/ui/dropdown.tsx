import { PickList } from './pick-list.tsx';
import type { PickOption } from './pick-options.tsx';

type Props<Value extends string> = {
  label: string;
  options: readonly PickOption<Value>[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
  /** Shown while nothing is picked. */
  placeholder?: string;
  width?: number;
  isDisabled?: boolean;
  /** Whether the choice can be taken back. */
  isClearable?: boolean;
};

/** Picks one out of a list; without a match it says 'Sorry, no matching options.' (WID-049). */
export function Dropdown<Value extends string>(props: Props<Value>) {
  const { label, options, value, onChange, placeholder = 'Select', width = 200, isDisabled = false, isClearable = false } = props;
  return (
    <PickList
      label={label}
      options={options}
      picked={value === undefined ? [] : [value]}
      onPick={onChange}
      isMany={false}
      shown={value === undefined ? null : (options.find((option) => option.value === value)?.name ?? value)}
      placeholder={placeholder}
      width={width}
      isDisabled={isDisabled}
      onClear={isClearable && value !== undefined && !isDisabled ? () => onChange(undefined) : undefined}
    />
  );
}

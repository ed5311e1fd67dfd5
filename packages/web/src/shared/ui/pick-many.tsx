import { PickList } from './pick-list.tsx';
import type { PickOption } from './pick-options.tsx';

type Props<Value extends string> = {
  label: string;
  options: readonly PickOption<Value>[];
  value: readonly Value[];
  onChange: (value: Value[]) => void;
  /** Shown while nothing is picked. */
  placeholder?: string;
  /** Pixels, or as wide as what it stands in. */
  width?: number | '100%';
  isDisabled?: boolean;
};

/** Picks any number out of a list. The field stays one line high whatever is picked. */
export function PickMany<Value extends string>(props: Props<Value>) {
  const { label, options, value, onChange, placeholder = 'Any', width = 168, isDisabled = false } = props;
  const [only] = value;
  const name = options.find((option) => option.value === only)?.name ?? only;
  return (
    <PickList
      label={label}
      options={options}
      picked={value}
      onPick={(picked) => onChange(value.includes(picked) ? value.filter((other) => other !== picked) : [...value, picked])}
      isMany
      shown={value.length > 1 ? `${value.length} selected` : (name ?? null)}
      placeholder={placeholder}
      width={width}
      isDisabled={isDisabled}
    />
  );
}

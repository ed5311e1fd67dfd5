import { Input, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import classes from '../form/form.module.css';
import { Dropdown } from '../ui/pick-list.tsx';
import type { FieldControl } from './entity-form.tsx';

/** Properties of a text input of Mantine that follow from its field. */
export function textControl({ onChange, ...field }: FieldControl<string>) {
  const change = (event: { currentTarget: { value: string } }): void => onChange(event.currentTarget.value);
  return { autoComplete: 'off', spellCheck: false, ...field, onChange: change };
}

type ChoiceProps<Value> = FieldControl<Value> & {
  options: readonly { value: Value; name: string }[];
  width: number;
  /** Set when the options could not be loaded: loads them again. */
  onRetry?: (() => void) | undefined;
  /** Below the control. */
  children?: ReactNode;
};

/** Picks one value out of a list. A value that is not among the options shows as none. */
export function ChoiceField<Value extends string | number>({
  label,
  value,
  error,
  onChange,
  options,
  children,
  ...props
}: ChoiceProps<Value>) {
  return (
    <Input.Wrapper labelElement="div" error={error}>
      <Dropdown
        label={label}
        width={props.width}
        options={options.map((option) => ({ value: String(option.value), name: option.name }))}
        value={options.some((option) => option.value === value) ? String(value) : undefined}
        onRetry={props.onRetry}
        onChange={(text) => {
          const option = options.find((one) => String(one.value) === text);
          if (option !== undefined) onChange(option.value);
        }}
      />
      {children}
    </Input.Wrapper>
  );
}

type SegmentProps<Value> = FieldControl<Value> & {
  options: readonly { value: Value; label: string }[];
  /** Whether the label is shown above the control. */
  showsLabel?: boolean;
  description?: string;
  disabled?: boolean;
};

/** Picks one of a few values, which are all shown. */
export function SegmentField<Value extends string | number>({
  label,
  value,
  error,
  onChange,
  options,
  showsLabel = true,
  description,
  disabled = false,
}: SegmentProps<Value>) {
  return (
    <Input.Wrapper labelElement="div" label={showsLabel && label} description={description} error={error}>
      <SegmentedControl
        fullWidth
        mt={showsLabel ? 4 : 0}
        size="xs"
        aria-label={label}
        disabled={disabled}
        data={options.map((option) => ({ value: String(option.value), label: option.label }))}
        value={String(value)}
        onChange={(text) => {
          const option = options.find((one) => String(one.value) === text);
          if (option !== undefined) onChange(option.value);
        }}
      />
    </Input.Wrapper>
  );
}

type NumberProps = FieldControl<number> & { range: { min: number; max: number }; w: number; description?: string };

/** A whole number within a range; NaN while what was typed is no number. */
export function NumberField({ value, error, onChange, range: { min, max }, ...props }: NumberProps) {
  const [typed, setTyped] = useState(String(value));
  // The value may have been set elsewhere, too.
  const text = Object.is(numberOf(typed), value) ? typed : String(value);
  const isWrong = text.trim() !== '' && !(Number.isInteger(value) && value >= min && value <= max);
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      {...props}
      value={text}
      error={error ?? (isWrong ? `Enter a whole number from ${min} to ${max}.` : undefined)}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(numberOf(event.currentTarget.value));
      }}
    />
  );
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** A whole number with its unit behind it. */
export function AmountField({ unit, ...props }: NumberProps & { unit: string }) {
  return (
    <div className={classes['amount']}>
      <NumberField {...props} />
      <span className={classes['unit']}>{unit}</span>
    </div>
  );
}

type SwitchProps = FieldControl<boolean> & { description: string; disabled?: boolean };

/** A switch with an explanation. */
export function SwitchField({ value, onChange, ...props }: SwitchProps) {
  return <Switch {...props} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />;
}

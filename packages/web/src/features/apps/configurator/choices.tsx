import { Input } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import formClasses from '../../../shared/form/form.module.css';
import classes from './choices.module.css';

export type Choice<Value extends string> = { value: Value; name: string; icon?: ReactNode };

type Props<Value extends string> = {
  label: string;
  /** Shown below the label. */
  help?: string;
  options: readonly Choice<Value>[];
  /** Empty if nothing is chosen. */
  value: Value | '';
  onChange: (value: Value) => void;
  /** The field's path in the form, used to find it for focusing. */
  path: string;
  isRequired?: boolean;
  error?: string | undefined;
};

/** A choice between a few visible options: native radio buttons, styled as a wrapping row of boxes. */
export function Choices<Value extends string>({ label, help, options, value, onChange, path, isRequired = false, error }: Props<Value>) {
  const id = useId();
  const describedBy = [help === undefined ? null : `${id}-help`, error === undefined ? null : `${id}-error`].filter(
    (part) => part !== null,
  );
  return (
    <div
      className={classes['group']}
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-required={isRequired || undefined}
      aria-invalid={error !== undefined}
      aria-describedby={describedBy.length === 0 ? undefined : describedBy.join(' ')}
    >
      <div id={`${id}-label`} className={`${classes['label'] ?? ''} ${isRequired ? (formClasses['required'] ?? '') : ''}`}>
        {label}
      </div>
      {help !== undefined && (
        <Input.Description id={`${id}-help`} mb={6}>
          {help}
        </Input.Description>
      )}
      <div className="wrap">
        {options.map((option, index) => (
          <label key={option.value} className={classes['option']}>
            <input
              type="radio"
              className={classes['radio']}
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              data-path={index === 0 ? path : undefined}
            />
            {option.icon}
            <span>{option.name}</span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <Input.Error id={`${id}-error`} mt={4}>
          {error}
        </Input.Error>
      )}
    </div>
  );
}

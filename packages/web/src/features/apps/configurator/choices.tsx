import { appLabels } from '@switchyard/contract/app-form-texts';
import { Input } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import formClasses from '../../../shared/form/form.module.css';
import { type AppValues } from './app-model.ts';
import classes from './choices.module.css';
import type { AppDraft } from './use-app-draft.ts';

type Choice<Value extends string> = { value: Value; name: string; icon?: ReactNode };

/** The fields that are chosen from a few options. */
type ChoicePath = 'vertical' | 'conversion_api_type' | 'app_mode' | 'response_mode' | 'cloak_mode';

type Props<Path extends ChoicePath> = {
  form: AppDraft;
  path: Path;
  options: readonly Choice<AppValues[Path]>[];
  onChange: (value: AppValues[Path]) => void;
  isRequired?: boolean;
};

/** A choice between a few visible options: native radio buttons, styled as a wrapping row of boxes. */
export function Choices<Path extends ChoicePath>({ form, path, options, onChange, isRequired = false }: Props<Path>) {
  const id = useId();
  const error = form.errorOf(path);
  return (
    <div
      className={classes['group']}
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-required={isRequired || undefined}
      aria-invalid={error !== undefined}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <div id={`${id}-label`} className={`${classes['label'] ?? ''} ${isRequired ? (formClasses['required'] ?? '') : ''}`}>
        {appLabels[path]}
      </div>
      <div className="wrap">
        {options.map((option, index) => (
          <label key={option.value} className={classes['option']}>
            <input
              type="radio"
              className={classes['radio']}
              name={id}
              value={option.value}
              checked={option.value === form.values[path]}
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

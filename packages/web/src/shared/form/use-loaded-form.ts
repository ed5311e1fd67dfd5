import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { CallError } from '../api/call-error.ts';
import { refusedFields } from './refused-fields.ts';

type Shape<Loaded, Values> = {
  /** What the form holds of what was loaded, or of something new. */
  readonly valuesOf: (loaded: Loaded | undefined) => Values;
  /** Labels of the fields that differ. */
  readonly changedFields: (loaded: Values, values: Values) => readonly string[];
  /** Whether it could be stored. */
  readonly isComplete: (values: Values) => boolean;
  /** The field that a key of a 422 answer means; undefined when the form has none. */
  readonly fieldOf: (key: string) => (keyof Values & string) | undefined;
};

/** State of a form that only the server judges; what it refused stays until its field is edited. */
export function useLoadedForm<Loaded, Values extends Record<string, unknown>>(
  loaded: Loaded | undefined,
  { valuesOf, changedFields, isComplete, fieldOf }: Shape<Loaded, Values>,
) {
  const [origin, setOrigin] = useState(loaded);
  const form = useForm<Values>({ mode: 'controlled', initialValues: valuesOf(origin) });
  const changed = changedFields(valuesOf(origin), form.values);
  const errorCount = Object.keys(form.errors).length;
  return {
    values: form.values,
    origin,
    changed,
    errorCount,
    canSave: changed.length > 0 && errorCount === 0 && isComplete(form.values),
    errorOf: (field: keyof Values & string): string | undefined => {
      const error = form.errors[field];
      return typeof error === 'string' ? error : undefined;
    },
    /** Takes over what was typed or picked. */
    set: (patch: Partial<Values>): void => {
      form.setValues(patch);
      for (const field of Object.keys(patch)) form.clearFieldError(field);
    },
    refuse: (error: CallError): string[] => refusedFields(error, fieldOf, form.setFieldError),
    begin: (next: Loaded | undefined): void => {
      setOrigin(next);
      form.setInitialValues(valuesOf(next));
      form.reset();
    },
  };
}

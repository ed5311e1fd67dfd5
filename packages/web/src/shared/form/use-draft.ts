import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { z } from 'zod';
import type { CallError } from '../api/call-error.ts';
import { changedLabels, type ComparedField, type ThreeStates } from './conflict.ts';
import { showRejectedFields } from './rejected-fields.ts';

/** How an entity is edited in a form, independent of its page. */
export type EntityModel<Entity, Values> = {
  /** Noun of the entity in texts of the page, e.g. `server`. */
  readonly noun: string;
  /** The entity as calls return it. */
  readonly schema: z.ZodType<Entity>;
  /** Values of the form for a stored version, or for a new entity. */
  readonly valuesOf: (entity: Entity | undefined) => Values;
  /** The fields in the order of the form; `versions` are the stored versions that are compared, for names of ids in them. */
  readonly fieldsOf: (versions: readonly Entity[]) => readonly ComparedField<Values>[];
  /** The values to save over the version of somebody else. */
  readonly merge: (states: ThreeStates<Values>) => Values;
};

/** A model without rules of the browser's own: only the server validates. */
export type SimpleModel<Entity, Values> = EntityModel<Entity, Values> & {
  /** Labels of required fields that are empty. `stored`: the version that is edited; undefined for a new entity. */
  readonly missingOf: (values: Values, stored: Entity | undefined) => readonly string[];
  /** The field of a key of a 422 response; undefined if the form has none for it. */
  readonly fieldOf: (key: string) => (keyof Values & string) | undefined;
};

/** The unsaved values of a form and what is wrong with them. */
export type Draft<Entity, Values> = {
  readonly values: Values;
  /** The stored version that the form began with; undefined for a new entity. */
  readonly origin: Entity | undefined;
  /** Labels of the fields that differ from it. */
  readonly changedFields: readonly string[];
  /** Labels of required fields that are empty. */
  readonly missing: readonly string[];
  readonly errorCount: number;
  /** Shows the messages of a rejected save at their fields; returns those that belong to no field. */
  readonly reject: (error: CallError) => readonly string[];
  /** Starts over from a stored version, or from an empty form; `values`: what is unsaved beside it. */
  readonly reset: (next: Entity | undefined, values?: Values) => void;
};

/**
 * The draft of a form that only the server validates; a message of the server stays until its field is edited. `start` has the
 * values with which a new entity begins.
 */
export function useDraft<Entity, Values extends Record<string, unknown>>(
  { valuesOf, fieldsOf, missingOf, fieldOf }: SimpleModel<Entity, Values>,
  entity: Entity | undefined,
  start?: Values,
) {
  const [origin, setOrigin] = useState(entity);
  const form = useForm<Values>({ mode: 'controlled', initialValues: start ?? valuesOf(origin) });
  return {
    values: form.values,
    origin,
    changedFields: changedLabels(fieldsOf([]), valuesOf(origin), form.values),
    missing: missingOf(form.values, origin),
    errorCount: Object.keys(form.errors).length,
    errorOf: (field: keyof Values & string): string | undefined => {
      const error = form.errors[field];
      return typeof error === 'string' ? error : undefined;
    },
    /** Applies what was typed or picked. */
    set: (patch: Partial<Values>): void => {
      form.setValues(patch);
      for (const field of Object.keys(patch)) form.clearFieldError(field);
    },
    reject: (error: CallError): string[] => showRejectedFields(error, fieldOf, form.setFieldError),
    reset: (next: Entity | undefined, values?: Values): void => {
      setOrigin(next);
      form.setInitialValues(valuesOf(next));
      form.reset();
      if (values !== undefined) form.setValues(values);
    },
  };
}

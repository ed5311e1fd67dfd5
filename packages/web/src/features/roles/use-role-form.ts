import { useForm } from '@mantine/form';
import type { Role } from '@switchyard/contract/roles';
import { useState } from 'react';
import { changedFields, isComplete, valuesOf, type RoleValues } from './role-values.ts';

/** The form's fields by the names under which the server refuses them. */
const fieldNames: ReadonlyMap<string, keyof RoleValues> = new Map([
  ['name', 'name'],
  ['permission_ids', 'permissionIds'],
]);

/** State of the form of a role, new or existing; what the server refused stays until its field is edited. */
export function useRoleForm(role: Role | undefined) {
  const [loadedRole, setLoadedRole] = useState(role);
  const loaded = valuesOf(loadedRole);
  const form = useForm<RoleValues>({ mode: 'controlled', initialValues: loaded });
  const changed = changedFields(loaded, form.values);
  const errorCount = Object.keys(form.errors).length;
  return {
    values: form.values,
    loadedRole,
    changed,
    errorCount,
    canSave: changed.length > 0 && errorCount === 0 && isComplete(form.values),
    errorOf: (field: keyof RoleValues): string | undefined => {
      const error = form.errors[field];
      return typeof error === 'string' ? error : undefined;
    },
    set: <Field extends keyof RoleValues>(field: Field, value: RoleValues[Field]): void => {
      form.setValues({ [field]: value });
      form.clearFieldError(field);
    },
    /** Shows what the server refused; gives the messages that belong to no field. */
    refuse: (messages: Readonly<Record<string, readonly string[]>>): string[] => {
      const strays: string[] = [];
      for (const [key, texts] of Object.entries(messages)) {
        const field = fieldNames.get(key);
        if (field === undefined) strays.push(...texts);
        else form.setFieldError(field, texts.join(' '));
      }
      return strays;
    },
    /** Begins anew from a role, e.g. as it was saved. */
    begin: (next: Role | undefined): void => {
      setLoadedRole(next);
      form.setInitialValues(valuesOf(next));
      form.reset();
    },
  };
}

import { useForm } from '@mantine/form';
import type { TrafficServer } from '@switchyard/contract/traffic-servers';
import { useState } from 'react';
import { changedFields, isComplete, valuesOf, type ServerValues } from './server-values.ts';

/** State of the form of a server, new or existing; what was refused stays until its field is edited. */
export function useServerForm(server: TrafficServer | undefined) {
  const [loadedServer, setLoadedServer] = useState(server);
  const form = useForm<ServerValues>({ mode: 'controlled', initialValues: valuesOf(loadedServer) });
  const changed = changedFields(valuesOf(loadedServer), form.values);
  const errorCount = Object.keys(form.errors).length;
  return {
    values: form.values,
    loadedServer,
    changed,
    errorCount,
    canSave: changed.length > 0 && errorCount === 0 && isComplete(form.values),
    errorOf: (field: keyof ServerValues): string | undefined => {
      const error = form.errors[field];
      return typeof error === 'string' ? error : undefined;
    },
    set: (field: keyof ServerValues, value: string): void => {
      form.setValues({ [field]: value });
      form.clearFieldError(field);
    },
    /** Shows what was refused; gives the messages that belong to no field. */
    refuse: (messages: Readonly<Record<string, readonly string[]>>): string[] => {
      const strays: string[] = [];
      for (const [key, texts] of Object.entries(messages)) {
        if (Object.hasOwn(form.values, key)) form.setFieldError(key, texts.join(' '));
        else strays.push(...texts);
      }
      return strays;
    },
    /** Begins anew from a server, e.g. as it was saved. */
    begin: (next: TrafficServer | undefined): void => {
      setLoadedServer(next);
      form.setInitialValues(valuesOf(next));
      form.reset();
    },
  };
}

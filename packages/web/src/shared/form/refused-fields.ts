import type { CallError } from '../api/call-error.ts';

/**
 * Hands each field what the server refused of it and gives the messages that belong to no field. `fieldOf` names the
 * field that a key of the answer means; undefined when the form has none.
 */
export function refusedFields<Field extends string>(
  { fields }: Pick<CallError, 'fields'>,
  fieldOf: (key: string) => Field | undefined,
  show: (field: Field, message: string) => void,
): string[] {
  const strays: string[] = [];
  for (const [key, messages] of Object.entries(fields)) {
    const field = fieldOf(key);
    if (field === undefined) strays.push(...messages);
    else show(field, messages.join(' '));
  }
  return strays;
}

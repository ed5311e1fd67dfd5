import { isForbidden, type CallError } from '../api/call-error.ts';

/** Animation frames to wait until the messages of a response are rendered. */
const maxFrames = 60;

/**
 * Shows each message of a rejected save at its field and returns the messages that belong to no field. `fieldOf` maps a
 * key of the response to a field of the form; undefined if the form has none for it.
 */
export function showRejectedFields<Field extends string>(
  { fields }: Pick<CallError, 'fields'>,
  fieldOf: (key: string) => Field | undefined,
  show: (field: Field, message: string) => void,
): string[] {
  const unmatchedMessages: string[] = [];
  for (const [key, messages] of Object.entries(fields)) {
    const field = fieldOf(key);
    if (field === undefined) unmatchedMessages.push(...messages);
    else show(field, messages.join(' '));
  }
  return unmatchedMessages;
}

/** Why a save failed, where the error policy does not say it: 403, 404, and no answer. Null for all others. */
export function unshownReason(error: CallError): string | null {
  if (error.status === 404) return 'It was deleted, or you no longer have access to it. Copy what you want to keep.';
  return isForbidden(error) || error.status === null ? error.message : null;
}

/** Focuses the first invalid control of a form as soon as it is rendered as invalid. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  // A dialog that closes with the response releases the focus one frame later.
  requestAnimationFrame(() => focusOnceRendered(form, maxFrames));
}

function focusOnceRendered(form: HTMLFormElement | null, frames: number): void {
  requestAnimationFrame(() => {
    const invalid = firstInvalid(form);
    if (invalid !== null) invalid.focus();
    else if (frames > 1) focusOnceRendered(form, frames - 1);
  });
}

/** The first control that is marked as invalid; in a group its first input. */
function firstInvalid(form: HTMLFormElement | null): HTMLElement | null {
  const invalidField = form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null;
  return invalidField?.querySelector<HTMLElement>('input') ?? invalidField;
}

import type { TextInputProps } from '@mantine/core';

/** Share of the limit from which on the rest is shown. */
const shownFrom = 0.8;

/**
 * Properties of a text field that takes at most `max` characters: browsers cut longer input silently, so the field says how
 * much room is left once it is nearly full.
 */
export function limited(value: string, max: number): Pick<TextInputProps, 'maxLength' | 'description' | 'inputWrapperOrder'> {
  const left = max - value.length;
  if (left > max * (1 - shownFrom)) return { maxLength: max };
  const description =
    left <= 0 ? `The limit of ${max} characters is reached.` : `${left === 1 ? '1 character' : `${left} characters`} left of ${max}.`;
  return { maxLength: max, description, inputWrapperOrder: ['label', 'input', 'description', 'error'] };
}

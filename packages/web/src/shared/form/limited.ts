import type { TextInputProps } from '@mantine/core';

/** Share of the limit from which on the rest is shown. */
const shownFrom = 0.8;

/**
 * Properties of a text field that takes at most `max` characters: browsers cut longer input silently, so the field says how
 * much room is left once it is nearly full.
 */
export function limitProps(value: string, max: number): Pick<TextInputProps, 'maxLength' | 'description' | 'inputWrapperOrder'> {
  const freeCharacters = max - value.length;
  if (freeCharacters > max * (1 - shownFrom)) return { maxLength: max };
  const description =
    freeCharacters <= 0
      ? `The limit of ${max} characters is reached.`
      : `${freeCharacters === 1 ? '1 character' : `${freeCharacters} characters`} left of ${max}.`;
  return { maxLength: max, description, inputWrapperOrder: ['label', 'input', 'description', 'error'] };
}

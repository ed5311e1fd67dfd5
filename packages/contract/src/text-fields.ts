import { z } from 'zod';

/**
 * Whether text can be stored and shown: no NUL and no half of a surrogate pair (api 0.4).
 */
export function isStorableText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** Refinement text for what `isStorableText` refuses. */
export const storable = {
  error: (issue: { path?: PropertyKey[] | undefined }) => `The ${lastSegment(issue.path)} field contains invalid characters.`,
};

function lastSegment(path: PropertyKey[] | undefined): string {
  const named = (path ?? []).findLast((segment) => typeof segment === 'string');
  return named ?? 'body';
}

/** Text of at most `max` characters that may be empty. */
export function plainText(max: number) {
  return z.string().max(max).refine(isStorableText, storable);
}

/** Text of 1 to `max` characters. */
export function requiredText(max: number) {
  return z.string().min(1).max(max).refine(isStorableText, storable);
}

/** Marks a message that stands in for the general one when a field is missing or empty. */
export const missingMark = 'missing:';

/** Trimmed text of 1 to `max` characters with a message of its own when it is missing or empty (api [47]). */
export function textOrElse(max: number, message: string) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? missingMark + message : undefined) })
    .trim()
    .min(1, missingMark + message)
    .max(max)
    .refine(isStorableText, storable);
}

/** Text or null; an empty text is stored as null (api 0.4). */
export function optionalText(max: number) {
  return plainText(max)
    .nullable()
    .transform((value) => (value === '' ? null : value))
    .meta({ type: ['string', 'null'], maxLength: max });
}

/** Boolean of a JSON body, which alone is coerced: true, false, 1, 0 (api 0.4). */
export const bodyBoolean = z.preprocess((value) => (value === 1 ? true : value === 0 ? false : value), z.boolean());

/** Message for a field that must be there (api 0.4). */
export function requiredMessage(field: string): string {
  return `The ${field} field is required.`;
}

/** Message for a list that names something that does not exist, the first such id (api 0.4). */
export function unknownIdMessage(field: string, id: number | string): string {
  return `The ${field} field contains an unknown id: ${id}.`;
}

/** Marks the issues of `integer()`, because zod reports a text given for an integer as "expected number". */
export const integerMark = 'integer';

/** Whole number within the exact range of a JavaScript number. */
export function integer() {
  return z.int({ error: integerMark });
}

/** Marks the issues of `choice()`, because an empty text is no choice, but not one that was left out. */
export const choiceMark = 'choice';

/** One of some texts; a number is of the wrong type, not merely another value (api 0.4). */
export function choice<const Values extends readonly string[]>(values: Values) {
  return z
    .string()
    .pipe(z.enum(values, { error: choiceMark }))
    .meta({ type: 'string', enum: [...values] });
}

/** One of some whole numbers. */
export function integerChoice<const Values extends readonly number[]>(values: Values) {
  return integer()
    .pipe(z.literal(values))
    .meta({ type: 'integer', enum: [...values] });
}

import { z } from 'zod';

/** A word with a capital at its beginning. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Whether text can be stored: it has no NUL and no lone surrogate. */
export function isStorableText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** Whether text can be stored as a name, which has one line: no control characters, no line or paragraph separators. */
export function isOneLine(value: string): boolean {
  return isStorableText(value) && !/[\p{Cc}\u2028\u2029]/u.test(value);
}

// A run at the end is looked for at its first character only: from each of its characters, a long run inside takes hours.
const outerInvisible = /^\p{Default_Ignorable_Code_Point}+|(?<!\p{Default_Ignorable_Code_Point})\p{Default_Ignorable_Code_Point}+$/gu;
const outerSpace =
  /^[\s\p{Default_Ignorable_Code_Point}]+|(?<![\s\p{Default_Ignorable_Code_Point}])[\s\p{Default_Ignorable_Code_Point}]+$/gu;

/** A name as it is stored: in NFC, without invisible characters at its ends. */
export function cleanName(name: string): string {
  return name.replaceAll(outerInvisible, '').normalize('NFC');
}

/** A text without white space and invisible characters at its ends. Pasted texts have both there. */
export function trimText(text: string): string {
  return text.replaceAll(outerSpace, '');
}

/** A bundle as it is stored: in NFC, without invisible characters. */
export function cleanBundle(bundle: string): string {
  return bundle.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFC');
}

/** Text that is its own plain form, as most names are. */
const isAscii = /^[\0-\x7F]*$/;

/** The text by which names that look the same are compared, where letter case counts: NFKC without invisible characters. `plain_text` in SQL. */
export function plainForm(text: string): string {
  if (isAscii.test(text)) return text;
  return text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC');
}

/** The text by which names are compared and searched, in any letter case. `comparable_text` in SQL. */
export function comparableText(text: string): string {
  return plainForm(text).toLowerCase();
}

const collator = new Intl.Collator('en', { numeric: true });

/** Compares names as lists are sorted by them: É beside E, and 2 before 10. `natural_order` in SQL. */
export function compareNames(one: string, other: string): number {
  return collator.compare(one, other);
}

/** Message for text that `isStorableText` or `isOneLine` rejects. */
export const storable = {
  error: (issue: { path?: PropertyKey[] | undefined }) => invalidCharacters(lastSegment(issue.path)),
};

/** Message for a field with characters that cannot be stored. */
export function invalidCharacters(field: string): string {
  return `The ${field} field contains invalid characters.`;
}

function lastSegment(path: PropertyKey[] | undefined): string {
  const fieldName = (path ?? []).findLast((segment) => typeof segment === 'string');
  return fieldName ?? 'body';
}

/** Text of at most `max` characters that may be empty. */
export function plainText(max: number) {
  return z.string().max(max).refine(isStorableText, storable);
}

/** Text of 1 to `max` characters. */
export function requiredText(max: number) {
  return z.string().min(1).max(max).refine(isStorableText, storable);
}

/** Trimmed name of 1 to `max` characters in one line. */
export function nameText(max: number) {
  return z.string().overwrite(trimText).normalize('NFC').min(1).max(max).refine(isOneLine, storable);
}

/** Prefix of a message that replaces the general one if a field is missing or empty. */
export const missingMark = 'missing:';

/** Trimmed text of 1 to `max` characters in one line, with its own message if it is missing or empty. */
export function textOrElse(max: number, message: string) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? missingMark + message : undefined) })
    .overwrite(trimText)
    .normalize('NFC')
    .min(1, missingMark + message)
    .max(max)
    .refine(isOneLine, storable);
}

/** Text or null. An empty text becomes null. */
export function optionalText(max: number) {
  return plainText(max)
    .nullable()
    .transform((value) => (value === '' ? null : value))
    .meta({ type: ['string', 'null'], maxLength: max });
}

/** Boolean of a JSON body: true, false, 1 or 0. No other type is coerced. */
export const bodyBoolean = z.preprocess((value) => (value === 1 ? true : value === 0 ? false : value), z.boolean());

/** Message for a missing field. */
export function requiredMessage(field: string): string {
  return `The ${field} field is required.`;
}

/** Message for a list with an unknown id; names the first one. */
export function unknownIdMessage(field: string, id: number | string): string {
  return `The ${field} field contains an unknown id: ${id}.`;
}

/** Identifies issues of `integer()`, because zod reports a text as "expected number". */
export const integerMark = 'integer';

/** Integer within the safe range of JavaScript. */
export function integer() {
  return z.int({ error: integerMark });
}

/** The id of something that the database numbers: larger ones are rejected, as ids of nothing are. */
export function storedId() {
  return integer().max(2_147_483_647);
}

/** Identifies issues of `choice()`: an empty text is an invalid choice, not a missing one. */
export const choiceMark = 'choice';

/** One of the given texts. A number has the wrong type, not an invalid value. */
export function choice<const Values extends readonly string[]>(values: Values) {
  return z
    .string()
    .pipe(z.enum(values, { error: choiceMark }))
    .meta({ type: 'string', enum: [...values] });
}

/** One of the given integers. */
export function integerChoice<const Values extends readonly number[]>(values: Values) {
  return integer()
    .pipe(z.literal(values))
    .meta({ type: 'integer', enum: [...values] });
}

const yearZero = Date.parse('0000-01-01T00:00:00Z');
const yearTenThousand = Date.parse('+010000-01-01T00:00:00Z');

/** An instant as ISO 8601 text with an offset or `Z`, of a year that has four digits in UTC too, as dates of answers have. */
export const instantText = z.iso.datetime({ offset: true }).superRefine((text, context) => {
  const at = Date.parse(text);
  if (at < yearZero || at >= yearTenThousand) context.addIssue({ code: 'invalid_format', format: 'datetime', input: text });
});

/** The beginning of a text, without half of a character of two code units. */
export function cutText(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

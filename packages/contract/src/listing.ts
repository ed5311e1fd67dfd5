import { z } from 'zod';
import { maximumLimit, maximumQueryValues } from './limits.ts';
import { integer, plainText, trimText } from './text-fields.ts';

/**
 * Query parameters as lists of texts by name, because a parameter may be repeated. An empty text counts as absent. If a
 * single-value parameter is repeated, the last value counts.
 */
export type RawQuery = Readonly<Record<string, readonly string[]>>;

function lastValue(raw: unknown): string | undefined {
  if (!Array.isArray(raw)) return undefined;
  const texts = raw.filter((value): value is string => typeof value === 'string');
  return texts.map((value) => literalValue(value) ?? value).findLast((value) => value !== '');
}

/**
 * Parameters whose form `name[]=` is literal: their values are texts of others, which may contain commas and outer spaces (O54).
 * `name=a,b` still names two.
 */
const literalLists: ReadonlySet<string> = new Set(['streamUid', 'streamUidNot', 'statusConversion', 'statusConversionNot', 'within']);

/**
 * Begins a literal value in a `RawQuery`: the second half of a pair, with which no decoded text begins, because broken characters become
 * U+FFFD.
 */
const literalMark = '\uDC00';

/** The text of a literal value; null for others. */
function literalValue(value: string): string | null {
  return value.startsWith(literalMark) ? value.slice(1) : null;
}

/** Whether the values have to be sent as `name[]=`, because commas or outer spaces belong to them. */
export function isLiteralList(name: string, values: readonly string[]): boolean {
  return literalLists.has(name) && values.some((value) => value.includes(',') || value !== value.trim());
}

/** A single-value parameter, parsed by the given schema. Undefined if absent, unless the schema has a default. */
export function single<S extends z.ZodType>(schema: S) {
  return z.preprocess(lastValue, schema);
}

/**
 * A parameter with several values: `type[]=a&type[]=b`, `type=a&type=b`, `type=a,b` or a mixture, at most 100 unless `max`
 * says otherwise. Values of `literalLists` in the first form are taken as they are. Duplicates collapse. `normalise` returns the canonical spelling of a value.
 */
export function multiple<S extends z.ZodType>(
  element: S,
  { normalise = (value) => value, max = maximumQueryValues }: { normalise?: (value: string) => string; max?: number } = {},
) {
  return z.preprocess((raw) => {
    if (!Array.isArray(raw)) return undefined;
    const values = raw
      .filter((value): value is string => typeof value === 'string')
      .flatMap((value) => literalValue(value) ?? value.split(',').map((part) => part.trim()))
      .filter((value) => value !== '')
      .map(normalise);
    return values.length === 0 ? undefined : [...new Set(values)];
  }, z.array(element).max(max).optional());
}

/** `1`, `0`, `true` or `false`; anything else is rejected. */
export function queryBoolean() {
  return single(
    z
      .enum(['1', '0', 'true', 'false'])
      .transform((value) => value === '1' || value === 'true')
      .optional(),
  ).meta({ type: 'boolean' });
}

const trimmed = (text: string | undefined) => (text === undefined ? undefined : trimText(text));

/** A trimmed search text of at most `max` characters. Undefined if empty. */
export function searchText(max = 255) {
  return z
    .preprocess((raw) => trimmed(lastValue(raw)), plainText(max).optional())
    .transform((value) => (value === '' ? undefined : value))
    .meta({ type: 'string', maxLength: max });
}

/** Several ids. */
export function queryIds() {
  return multiple(
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  );
}

/** An id: digits are parsed as a number, anything else has the wrong type. */
export function queryId() {
  return single(
    z
      .union([
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
        z.string(),
      ])
      .optional()
      .pipe(integer().optional()),
  ).meta({ type: 'integer' });
}

/** Page number from 1. Invalid values mean the first page. */
export const page = single(
  z
    .string()
    .optional()
    .transform((value) => (value !== undefined && /^\d{1,9}$/.test(value) && Number(value) >= 1 ? Number(value) : 1)),
).meta({ type: 'integer', minimum: 1, default: 1 });

/** Page size from 1 to 200. Invalid values mean the default; larger values are reduced. */
export function limit(fallback: number) {
  return single(
    z
      .string()
      .optional()
      .transform((value) => {
        if (value === undefined || !/^\d+$/.test(value) || Number(value) < 1) return fallback;
        return Math.min(Number(value), maximumLimit);
      }),
  ).meta({ type: 'integer', minimum: 1, maximum: maximumLimit, default: fallback });
}

/** An opaque cursor. An invalid one means the first page, so nothing is rejected here. */
export const cursor = single(z.string().optional());

/** Path parameter of calls on one entity. Anything but a positive id is a 404. */
export const idParams = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
});

export type SortDirection = 'asc' | 'desc';

/** `orderBy` and `orderDirection`. An unknown value falls back to the default, so a query never names an undeclared column. */
export function sortBy<const Keys extends readonly [string, ...string[]]>(
  keys: Keys,
  fallback: { orderBy: Keys[number]; orderDirection: SortDirection },
) {
  return {
    orderBy: single(
      z
        .string()
        .optional()
        .transform((value): Keys[number] => keys.find((key) => key === value) ?? fallback.orderBy),
    ).meta({ type: 'string', enum: [...keys], default: fallback.orderBy }),
    orderDirection: single(
      z
        .string()
        .optional()
        .transform((value): SortDirection => (value === 'asc' || value === 'desc' ? value : fallback.orderDirection)),
    ).meta({ type: 'string', enum: ['asc', 'desc'], default: fallback.orderDirection }),
  };
}

const directions: readonly SortDirection[] = ['asc', 'desc'];

/**
 * The same two parameters for lists with a cursor, which contains its own sort: an absent value stays absent, an
 * unknown value means the default.
 */
export function sortBesideCursor<const Keys extends readonly [string, ...string[]]>(
  keys: Keys,
  fallback: { orderBy: Keys[number]; orderDirection: SortDirection },
) {
  return {
    orderBy: oneOfOrAbsent<Keys[number]>(keys, fallback.orderBy),
    orderDirection: oneOfOrAbsent<SortDirection>(directions, fallback.orderDirection),
  };
}

function oneOfOrAbsent<Value extends string>(values: readonly Value[], other: Value) {
  return single(
    z
      .string()
      .optional()
      .transform((text) => (text === undefined ? undefined : (values.find((value) => value === text) ?? other))),
  ).meta({ type: 'string', enum: [...values] });
}

/**
 * Replaces both sort parameters by the default if either is unknown, so that they never mix. Absent
 * parameters are left to `query`.
 */
export function withKnownSort<S extends z.ZodObject>(
  query: S,
  keys: readonly string[],
  fallback: { orderBy: string; orderDirection: SortDirection },
) {
  return z.preprocess((raw) => {
    if (typeof raw !== 'object' || raw === null) return raw;
    const isKnown = isAbsentOrOneOf(keys, Reflect.get(raw, 'orderBy')) && isAbsentOrOneOf(directions, Reflect.get(raw, 'orderDirection'));
    return isKnown ? raw : { ...raw, orderBy: [fallback.orderBy], orderDirection: [fallback.orderDirection] };
  }, query);
}

function isAbsentOrOneOf(values: readonly string[], raw: unknown): boolean {
  const text = lastValue(raw);
  return text === undefined || values.includes(text);
}

/** Splits a raw query string into lists of texts by name; `name[]` equals `name`, but for `literalLists`. */
export function readQuery(search: string): RawQuery {
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    const isList = name.endsWith('[]');
    const key = isList ? name.slice(0, -2) : name;
    (values[key] ??= []).push(isList && literalLists.has(key) ? literalMark + value : value);
  }
  return values;
}

/** Parameters that arrange a list, which every list takes. */
const arrangement: ReadonlySet<string> = new Set(['page', 'limit', 'orderBy', 'orderDirection', 'cursor']);

/** Parameters that choose no rows by themselves: besides those of the arrangement the panel of accounts, which every list of them has. */
const neutral: ReadonlySet<string> = new Set([...arrangement, 'isCache', 'panel']);

export const unknownParameterMessage = 'Unknown parameter.';

/** Names of parameters that a list does not have, at most 20, each cut at 64 characters. */
export function unknownNames(query: z.ZodObject, search: string): string[] {
  const names = Object.keys(readQuery(search)).filter((name) => !arrangement.has(name) && !Object.hasOwn(query.shape, name));
  return names.slice(0, 20).map((name) => name.slice(0, 64));
}

/**
 * Whether the query string of a list chooses all that the list shows without a filter. `isRead` tells whether the list reads a value of a
 * parameter, which nobody has to ask of one that the console wrote.
 */
export function choosesAll(search: string, isRead: (name: string) => boolean = () => true): boolean {
  return Object.keys(readQuery(search)).every((name) => neutral.has(name) || !isRead(name));
}

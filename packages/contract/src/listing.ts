import { z } from 'zod';
import { maximumLimit, maximumQueryValues } from './limits.ts';
import { integer, plainText } from './text-fields.ts';

/**
 * Query parameters arrive as lists of texts by name (a parameter may be repeated). An empty text counts
 * as absent, and of a single-value parameter given twice the last one counts (api 0.6).
 */
export type RawQuery = Readonly<Record<string, readonly string[]>>;

function lastValue(raw: unknown): string | undefined {
  if (!Array.isArray(raw)) return undefined;
  const last: unknown = raw.findLast((value) => value !== '');
  return typeof last === 'string' ? last : undefined;
}

/** A single-value parameter read by the given schema; absent unless the schema has a default. */
export function single<S extends z.ZodType>(schema: S) {
  return z.preprocess(lastValue, schema);
}

/**
 * A parameter with many values: `type[]=a&type[]=b`, `type=a&type=b`, `type=a,b` and mixtures;
 * duplicates collapse, at most 100 values (api 0.6). Where one value can be written in several ways, `spell`
 * gives the one way in which they are compared and read.
 */
export function multiple<S extends z.ZodType>(element: S, spell: (value: string) => string = (value) => value) {
  return z.preprocess((raw) => {
    if (!Array.isArray(raw)) return undefined;
    const values = raw
      .filter((value): value is string => typeof value === 'string')
      .flatMap((value) => value.split(','))
      .map((value) => value.trim())
      .filter((value) => value !== '')
      .map(spell);
    return values.length === 0 ? undefined : [...new Set(values)];
  }, z.array(element).max(maximumQueryValues).optional());
}

/** `1`, `0`, `true` or `false`; anything else is refused (api 0.4). */
export function queryBoolean() {
  return single(
    z
      .enum(['1', '0', 'true', 'false'])
      .transform((value) => value === '1' || value === 'true')
      .optional(),
  ).meta({ type: 'boolean' });
}

/** A search text of at most `max` characters without the blanks around it; nothing but blanks is none (api 0.6). */
export function searchText(max = 255) {
  return z
    .preprocess((raw) => lastValue(raw)?.trim(), plainText(max).optional())
    .transform((value) => (value === '' ? undefined : value))
    .meta({ type: 'string', maxLength: max });
}

/** An id: digits are the number that they stand for, anything else is of the wrong type (api 0.4). */
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

/** Page from 1; anything that is no page number means the first page (api 0.6). */
export const page = single(
  z
    .string()
    .optional()
    .transform((value) => (value !== undefined && /^\d{1,9}$/.test(value) && Number(value) >= 1 ? Number(value) : 1)),
).meta({ type: 'integer', minimum: 1, default: 1 });

/** Page size 1 to 200; not a number gives the default, more is cut (api 0.6). */
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

/** An opaque cursor; a broken one means the first page, so nothing is refused here (api 0.7). */
export const cursor = single(z.string().optional());

/** Path parameter of calls on one entity; anything but a positive id is no such route (api 0.1). */
export const idParams = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
});

export type SortDirection = 'asc' | 'desc';

/**
 * `orderBy` and `orderDirection`; an unknown value of either falls back to the list's default sort
 * (AMB-047), so that a query never names a column that the list did not declare.
 */
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
 * The same two parameters where a cursor may bring its own sort (api 0.7): a part that was not sent stays absent, while
 * an unknown value still means the list's default.
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
 * A list's query in which an unknown value of either part of the sort means all of the list's default sort, not a
 * mixture of both (api 0.6, AMB-047). Parts that were not sent are left to `query`.
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

/** Splits a raw query string into the lists of texts that the parameter schemas read; `name[]` is `name`. */
export function readQuery(search: string): RawQuery {
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    (values[key] ??= []).push(value);
  }
  return values;
}

import fc from 'fast-check';
import type { JsonSchema } from './read-operations.ts';
import type { SeenValues } from './seen-values.ts';

/** Texts on which servers have stumbled before. */
export const oddTexts = [
  '',
  ' ',
  '\0',
  '\uD800',
  '%',
  '_',
  '\\',
  "'; --",
  '../../etc/passwd',
  '١٢',
  '9'.repeat(30),
  '-1',
  '1e9',
  'NaN',
  'null',
  '2026-02-30',
  '2026-13-01 00:00:00',
  '9999-12-31',
  '0000-01-01',
  'ß',
  'İ',
  '::ffff:1.2.3.4',
  '10.0.0.0/8',
  '😀'.repeat(40),
  'x'.repeat(300),
] as const;

/** Values that fit a JSON Schema, often such as answers have shown under the same name. */
export function fitting(schema: unknown, name: string, seenValues: SeenValues): fc.Arbitrary<unknown> {
  if (!isSchema(schema)) return fc.jsonValue({ maxDepth: 2 });
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  if (choices.length > 0) return fc.oneof(...choices.map((choice) => fitting(choice, name, seenValues)));
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  return fc.oneof(...types.map((type) => ofType(type, { schema, name, seenValues })));
}

type WantedValue = { schema: JsonSchema; name: string; seenValues: SeenValues };

function ofType(type: unknown, wantedValue: WantedValue): fc.Arbitrary<unknown> {
  const { schema, name, seenValues } = wantedValue;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return withSeen(
        fc.integer({ min: numberOr(schema['minimum'], -5), max: numberOr(schema['maximum'], 2 ** 31) }),
        seenFor(name, seenValues).filter((value) => typeof value === 'number'),
      );
    case 'number':
      return fc.double({ min: -1e6, max: 1e6, noNaN: true });
    case 'string':
      return textOf(wantedValue);
    case 'array': {
      const min = numberOr(schema['minItems'], 0);
      return fc.array(fitting(schema['items'], name, seenValues), {
        minLength: min,
        maxLength: Math.max(min, Math.min(4, numberOr(schema['maxItems'], 4))),
      });
    }
    case 'object':
      return objectOf(wantedValue);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf({ schema, name, seenValues }: WantedValue): fc.Arbitrary<unknown> {
  const { properties, required: requiredKeys, additionalProperties } = schema;
  if (!isSchema(properties))
    return fc.dictionary(fc.string({ maxLength: 8 }), fitting(additionalProperties, name, seenValues), { maxKeys: 3 });
  const parts = Object.entries(properties).map(([key, part]) => [key, fitting(part, key, seenValues)] as const);
  const neededKeys = listOf(requiredKeys).filter((key) => typeof key === 'string');
  return fc.record(Object.fromEntries(parts), { requiredKeys: neededKeys, noNullPrototype: true });
}

function textOf({ schema, name, seenValues }: WantedValue): fc.Arbitrary<string> {
  const { pattern } = schema;
  const knownValues = seenFor(name, seenValues).map(String);
  if (typeof pattern === 'string') {
    const regex = new RegExp(pattern);
    return withSeen(
      fc.stringMatching(regex),
      knownValues.filter((value) => regex.test(value)),
    );
  }
  const max = Math.min(numberOr(schema['maxLength'], 40), 40);
  const min = Math.min(numberOr(schema['minLength'], 0), max);
  return withSeen(
    fc.string({ unit: 'grapheme', minLength: min, maxLength: max }),
    knownValues.filter((value) => value.length >= min && value.length <= numberOr(schema['maxLength'], 100)),
  );
}

/** Half of the values were seen before, so that requests pass the first checks. */
function withSeen<T>(values: fc.Arbitrary<T>, knownValues: readonly T[]): fc.Arbitrary<T> {
  return knownValues.length === 0 ? values : fc.oneof(values, fc.constantFrom(...knownValues));
}

/** Values that answers have shown of what a field names: `appIds` and `serverId` hold ids of `/api/apps` and `/api/servers`. */
export function seenFor(name: string, seenValues: SeenValues): readonly (string | number)[] {
  const [, stem] = /^(.+?)_?ids?$/i.exec(name) ?? [];
  if (stem === undefined) return seenValues.of(name);
  const own = [...seenValues.of(name), ...seenValues.of(`/api/${stem}s id`)];
  return own.length > 0 ? own : seenValues.of('id');
}

/** A value with something wrong in it: another type, a missing or an unknown key, or an odd text, at any depth. */
export function spoilt(value: unknown): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(fc.constantFrom<unknown>(null, -1, 1.5, true, [], {}, [[]], [null]), fc.constantFrom<unknown>(...oddTexts));
  if (Array.isArray(value) && value.length > 0) {
    const [first, ...rest] = value;
    return fc.oneof(
      wrong,
      spoilt(first).map((other) => [other, ...rest]),
    );
  }
  if (!isSchema(value) || Object.keys(value).length === 0) return wrong;
  const keys = Object.keys(value);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({ ...value, unheard_of: 1 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...keys).map((key) => Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))),
    },
    { weight: 3, arbitrary: fc.constantFrom(...keys).chain((key) => spoilt(value[key]).map((other) => ({ ...value, [key]: other }))) },
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

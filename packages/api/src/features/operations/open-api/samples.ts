import { isJson, type Json } from './json-shape.ts';
import { exampleValues } from './example-values.ts';

/** Position of a value: the name of its field, of the field that contains it, and the area of the call. */
export type Place = {
  name: string;
  around?: string;
  area: string;
  /** Whether optional fields are included: in requests, not in responses. */
  optional: boolean;
};

/** An example value for a JSON Schema: a known value of the field's name if one fits, otherwise a generated one. */
export function sampleOf(schema: unknown, place: Place): unknown {
  if (!isJson(schema)) return null;
  if ('const' in schema) return schema['const'];
  const { name, around = '', area } = place;
  const names = [`${around}.${name}`, `${area}.${name}`, name];
  const knownValue = names.flatMap((key) => exampleValues[key] ?? []).find((value) => fits(schema, value));
  if (knownValue !== undefined) return knownValue;
  if (schema['default'] !== undefined) return schema['default'];
  const [first] = listOf(schema['enum']);
  if (first !== undefined) return first;
  const choice = choicesOf(schema).find((option) => option['type'] !== 'null');
  return choice ? sampleOf(choice, place) : generatedValue(schema, place);
}

function generatedValue(schema: Json, place: Place): unknown {
  const type = typesOf(schema).find((name) => name !== 'null');
  if (type === 'object') return objectSample(schema, place);
  if (type === 'array') return [sampleOf(schema['items'], place)];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  return type === 'string' ? 'text' : null;
}

function objectSample({ properties, required: requiredKeys, additionalProperties, propertyNames }: Json, place: Place): Json {
  const inner = (name: string): Place => ({ ...place, name, around: place.name });
  if (isJson(properties)) {
    const sampleProperties = Object.entries(properties).filter(([key]) => place.optional || listOf(requiredKeys).includes(key));
    return Object.fromEntries(sampleProperties.map(([key, part]) => [key, sampleOf(part, inner(key))]));
  }
  const keys = isJson(propertyNames) ? listOf(propertyNames['enum']).map(String) : [];
  return Object.fromEntries(keys.map((key) => [key, sampleOf(additionalProperties, inner(key))]));
}

/** Whether a known value fits a schema. */
function fits(schema: Json, value: unknown): boolean {
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.some((option) => fits(option, value));
  const types = typesOf(schema);
  const hasType = types.length === 0 || types.some((type) => isOfType(type, value));
  const values = listOf(schema['enum']);
  const isListed = values.length === 0 || values.includes(value);
  const { pattern, items, properties } = schema;
  const isSpelt = typeof pattern !== 'string' || typeof value !== 'string' || new RegExp(pattern).test(value);
  const hasItems = !Array.isArray(value) || !isJson(items) || value.every((item) => fits(items, item));
  return hasType && isListed && isSpelt && hasItems && !(isJson(properties) && isJson(value));
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJson(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function choicesOf(schema: Json): Json[] {
  return [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(isJson);
}

function typesOf({ type }: Json): readonly unknown[] {
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

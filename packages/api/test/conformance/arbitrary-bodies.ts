import fc from 'fast-check';
import { fitting, seenFor, spoilt } from './arbitrary-values.ts';
import type { JsonSchema, Operation } from './read-operations.ts';
import type { SeenValues } from './seen-values.ts';

/** A body with its content type; without text none is sent. */
export type Body = { type: string | undefined; text: string | undefined };

/** No body at all. */
export const nothing: Body = { type: undefined, text: undefined };

const brokenBodies: readonly Body[] = [
  nothing,
  { type: 'application/json', text: '' },
  { type: 'application/json', text: '{' },
  { type: 'application/json', text: '[]' },
  { type: 'application/json', text: '"text"' },
  { type: 'application/json', text: '{"__proto__":{"a":1}}' },
  { type: 'application/json', text: `${'['.repeat(5000)}${']'.repeat(5000)}` },
  { type: 'application/json; charset=latin1', text: '{}' },
  { type: 'text/plain', text: '{}' },
  { type: 'application/x-www-form-urlencoded', text: 'a=1' },
  { type: 'multipart/form-data; boundary=x', text: '--x\r\nbroken' },
  { type: undefined, text: '{}' },
];

/** Bodies as the examples of a call show them, of things that exist or do not exist yet, with or without optional fields. */
export function rightBodies({ bodies }: Operation, seenValues: SeenValues): fc.Arbitrary<Body> {
  const describedBodies = Object.entries(bodies).map(([type, media]) => shownOf(media, seenValues).map((value) => writeBody(type, value)));
  return describedBodies.length === 0 ? fc.constant(nothing) : fc.oneof(...describedBodies);
}

/** Bodies that fit the description of a call, that fit it but for one thing, or that are no bodies for it at all. */
export function anyBodies({ bodies }: Operation, seenValues: SeenValues): fc.Arbitrary<Body> {
  const describedBodies = Object.entries(bodies).map(([type, media]) => {
    const shownBody = shownOf(media, seenValues);
    const fit = fitting(media.schema, '', seenValues);
    return fc.oneof(vary(shownBody, fit), fit, shownBody.chain(spoilt), fit.chain(spoilt)).map((value) => writeBody(type, value));
  });
  return fc.oneof(...describedBodies.map((arbitrary) => ({ weight: 4, arbitrary })), {
    weight: 1,
    arbitrary: fc.constantFrom(...brokenBodies),
  });
}

function shownOf({ schema, example }: { schema: JsonSchema; example?: unknown }, seenValues: SeenValues): fc.Arbitrary<unknown> {
  const neededKeys = Array.isArray(schema['required']) ? schema['required'] : [];
  const shownBody = fc.oneof(renew(example, '', { seenValues, isNew: true }), renew(example, '', { seenValues, isNew: false }));
  const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
  return fc.tuple(shownBody, fc.constantFrom(0, 0.5, 1), chances).map(([body, share, chance]) => {
    if (!isObject(body)) return body;
    return Object.fromEntries(Object.entries(body).filter(([name]) => neededKeys.includes(name) || chance.next().value < share));
  });
}

function writeBody(type: string, value: unknown): Body {
  if (type === 'multipart/form-data') return formOf(value);
  return { type, text: type.endsWith('/json') ? JSON.stringify(value) : String(value) };
}

/** The example with one of its fields as the description allows it. */
function vary(shownValue: fc.Arbitrary<unknown>, fit: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(shownValue, fit, fc.nat()).map(([base, other, at]) => {
    if (!isObject(base) || !isObject(other)) return other;
    const fields = Object.entries(other);
    const [name, value] = fields[at % Math.max(1, fields.length)] ?? ['', undefined];
    return value === undefined ? base : { ...base, [name]: value };
  });
}

/** An example with ids of what exists, under names that do not exist yet (`isNew`) or that may. */
function renew(example: unknown, key: string, options: { seenValues: SeenValues; isNew: boolean }): fc.Arbitrary<unknown> {
  if (Array.isArray(example)) return fc.tuple(...example.map((item) => renew(item, key, options)));
  if (isObject(example)) {
    const fields = Object.entries(example).map(([name, value]) => [name, renew(value, name, options)] as const);
    return fc.record(Object.fromEntries(fields), { noNullPrototype: true });
  }
  const isName = typeof example === 'string' && /^(name|bundle|domain|email)$/.test(key);
  if (isName && options.isNew) return fc.nat().map((tag) => tag.toString(36) + example);
  const isReference = isName || /^(data|date|buyer_email|.*ids?)$/i.test(key);
  const knownValues = isReference
    ? seenFor(key, options.seenValues).map((value) => (typeof example === 'string' ? String(value) : value))
    : [];
  const ofType = knownValues.filter((value) => typeof value === typeof example);
  return ofType.length === 0 ? fc.constant(example) : fc.oneof(fc.constant(example), fc.constantFrom(...ofType));
}

const boundary = 'conformance';

/** A form with a part for each field; a field that holds JSON text is a file. */
function formOf(form: unknown): Body {
  const parts = Object.entries(isObject(form) ? form : {}).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const file = text.startsWith('{') ? '; filename="file.json"\r\ncontent-type: application/json' : '';
    return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return { type: `multipart/form-data; boundary=${boundary}`, text: `${parts.join('')}--${boundary}--\r\n` };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import fc from 'fast-check';
import { anyBodies, nothing, rightBodies, type Body } from './arbitrary-bodies.ts';
import { fitting, oddTexts } from './arbitrary-values.ts';
import type { JsonSchema, Operation, Parameter } from './read-operations.ts';
import type { SeenValues } from './seen-values.ts';

/** A request as it goes onto the wire. */
export type Request = { method: Operation['method']; url: string; headers: Record<string, string>; body: string | undefined };

/** Requests for a call as its description says. */
export function rightRequestsFor(operation: Operation, seenValues: SeenValues): fc.Arbitrary<Request> {
  const parts = { path: pathOf(operation, seenValues).right, search: searchOf(operation, seenValues, 'right'), headers: fc.constant({}) };
  return requestOf(operation, { ...parts, body: rightBodies(operation, seenValues) });
}

/** Requests for a call: half of them as its description says, in the others anything may be wrong. */
export function requestsFor(operation: Operation, seenValues: SeenValues): fc.Arbitrary<Request> {
  const isGet = operation.method === 'GET';
  const any = { path: pathOf(operation, seenValues).any, search: searchOf(operation, seenValues, 'any'), headers: headersOf(operation) };
  return fc.oneof(
    rightRequestsFor(operation, seenValues),
    requestOf(operation, { ...any, body: isGet ? fc.constant(nothing) : anyBodies(operation, seenValues) }),
  );
}

type Parts = {
  path: fc.Arbitrary<string>;
  search: fc.Arbitrary<string>;
  headers: fc.Arbitrary<Record<string, string>>;
  body: fc.Arbitrary<Body>;
};

function requestOf({ method }: Operation, parts: Parts): fc.Arbitrary<Request> {
  return fc.record(parts).map(({ path, search, headers, body }) => ({
    method,
    url: search === '' ? path : `${path}?${search}`,
    headers: { ...headers, ...(body.type === undefined ? {} : { 'content-type': body.type }) },
    body: body.text,
  }));
}

function pathOf({ path, parameters }: Operation, seenValues: SeenValues): { right: fc.Arbitrary<string>; any: fc.Arbitrary<string> } {
  const collection = path.slice(0, path.indexOf('{') - 1);
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const right = inPath.map(({ name, schema }) => {
    const collectionValues = seenValues.in(collection, name);
    const knownValues = (collectionValues.length > 0 ? collectionValues : seenValues.of(name)).filter((value) => fitsPath(schema, value));
    // The latest are those that this very caller was shown.
    return knownValues.length === 0
      ? fitting(schema, name, seenValues)
      : fc.oneof(fc.constantFrom(...knownValues.slice(-3)), fc.constantFrom(...knownValues));
  });
  const any = inPath.map(({ name, schema }, index) => {
    const odd = fc.constantFrom<unknown>('0', '999999999', '1e3', '%00', '..%2f', 'ж', ...oddTexts);
    return fc.oneof({ weight: 3, arbitrary: right[index] ?? odd }, fitting(schema, name, seenValues), odd);
  });
  const fillPath = (values: readonly unknown[]): string =>
    values.reduce<string>(
      (filledPath, value, index) => filledPath.replace(`{${inPath[index]?.name}}`, encodeURIComponent(String(value).toWellFormed())),
      path,
    );
  return { right: fc.tuple(...right).map(fillPath), any: fc.tuple(...any).map(fillPath) };
}

function fitsPath({ pattern, enum: values }: JsonSchema, value: string | number): boolean {
  if (Array.isArray(values)) return values.includes(value);
  return typeof pattern !== 'string' || new RegExp(pattern).test(String(value));
}

function searchOf({ parameters }: Operation, seenValues: SeenValues, kind: 'right' | 'any'): fc.Arbitrary<string> {
  const queryPairs = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => pairsOf(parameter, seenValues, kind));
  return fc.tuple(...queryPairs).map((pairs) => {
    const search = new URLSearchParams();
    for (const [name, value] of pairs.flat()) search.append(name, value.toWellFormed());
    return search.toString();
  });
}

type Pair = [name: string, value: string];

/** A parameter none, one or several times. */
function pairsOf({ name, schema, required, example }: Parameter, seenValues: SeenValues, kind: 'right' | 'any'): fc.Arbitrary<Pair[]> {
  const isDate = name.endsWith('Date');
  const fit = fitting(schema, name, seenValues).map((value): Pair[] =>
    Array.isArray(value) ? value.map((item) => [`${name}[]`, String(item)]) : [[name, String(value)]],
  );
  const date = fc
    .constantFrom('2026-11-01', '2026-11-20 10:00:00', '2026-12-31T23:59:59Z', '1999-01-01')
    .map((day): Pair[] => [[name, day]]);
  const odd = fc.constantFrom(...oddTexts).map((text): Pair[] => [[name, text]]);
  const one = isDate ? date : fit;
  const none = fc.constant<Pair[]>([]);
  // A text of a form that the schema does not tell, such as an address.
  const shown = fc.constant<Pair[]>([[name, String(example)]]);
  if (kind === 'right')
    return required ? (example === undefined ? one : fc.oneof(one, shown)) : fc.oneof({ weight: 3, arbitrary: none }, one);
  return fc.oneof({ weight: 6, arbitrary: none }, { weight: 4, arbitrary: one }, { weight: 1, arbitrary: odd });
}

function headersOf({ parameters }: Operation): fc.Arbitrary<Record<string, string>> {
  const odd = fc.constantFrom('*', '"v1"', 'W/"v2"', 'x', 'req-0123456789', '0', '"');
  const headerPairs = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => [name.toLowerCase(), fc.option(odd, { freq: 2 })] as const);
  return fc
    .record(Object.fromEntries(headerPairs))
    .map((headers) => Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))));
}

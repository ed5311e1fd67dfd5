import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeRequest, encodingProblem, isTooDeep } from './dev-tools.ts';
import { fieldErrors } from './field-errors.ts';

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { inner: value };
  return value;
}

const requiredMessage = 'The data field is required.';
const tooLarge = 'The data field is too large.';
const tooDeep = 'The data field is nested too deeply.';

describe('limits of encoded values', () => {
  it('[DEV-005] accepts 64 levels and rejects any more', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 200 }), (depth) => isTooDeep(nest(depth)) === depth > 64));
    expect([nest(64), nest(65), nest(100_000)].map(encodingProblem)).toEqual([null, tooDeep, tooDeep]);
    // Lists and objects that hold nothing are levels too.
    expect([isTooDeep([nest(63)]), isTooDeep(wrap([], 63)), isTooDeep(wrap([], 64)), isTooDeep(wrap({}, 64))]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('[DEV-005] accepts 256 KiB of UTF-8 and rejects one byte more', () => {
    const textOf = (bytes: number) => 'x'.repeat(bytes - 2);
    expect([textOf(262_144), textOf(262_145), 'é'.repeat(131_071), `${'é'.repeat(131_071)}x`].map(encodingProblem)).toEqual([
      null,
      tooLarge,
      null,
      tooLarge,
    ]);
  });

  it('[DEV-005] reports only an absent value as missing', () => {
    const messages = (body: unknown) => {
      const result = encodeRequest.body.safeParse(body, { reportInput: true });
      return result.success ? null : fieldErrors(result.error).shape;
    };
    for (const value of ['', [], {}, null, 0, false]) expect(messages({ data: value })).toBeNull();
    expect(messages({})).toEqual({ data: [requiredMessage] });
    expect(messages({ data: 1, more: 2 })).toEqual({ more: ['Unknown field.'] });
  });
});

function wrap(inner: unknown, levels: number): unknown {
  let value = inner;
  for (let i = 0; i < levels; i += 1) value = [value];
  return value;
}

import { expect, it } from 'vitest';
import { readIfNoneMatch } from './conditional-headers.ts';

it.each([
  [undefined, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b"', false],
  ['a', false],
  ['*', true],
])('If-None-Match %s: the caller has "a" already: %s', (header, holds) => {
  expect(readIfNoneMatch(header)('"a"')).toBe(holds);
});

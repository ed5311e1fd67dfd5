import { expect, it } from 'vitest';
import { decodedLines } from './decoded-lines.ts';

it('[DEV-009, AMB-159] a decoded value is a line for each key at its top, what is nested as compact JSON', () => {
  const echo = {
    domain: 'acme-bet.example',
    received: { gaid: '7c1e', list: [1, null] },
    time: '2026-11-20 10:11:12',
    count: 2,
    none: null,
  };
  expect(decodedLines(echo).split('\n')).toEqual([
    'domain: acme-bet.example',
    'received: {"gaid":"7c1e","list":[1,null]}',
    'time: 2026-11-20 10:11:12',
    'count: 2',
    'none: null',
  ]);
  expect(decodedLines(['a', { b: 1 }])).toBe('0: a\n1: {"b":1}');
  expect(['text', '', 0, false, null, {}, []].map(decodedLines)).toEqual(['text', '', '0', 'false', 'null', '{}', '[]']);
});

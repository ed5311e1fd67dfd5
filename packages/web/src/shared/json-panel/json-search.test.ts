import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBody, searchJson } from './json-search.ts';

describe('search in a JSON tree', () => {
  it('keeps the branches with a match in a key or a value', () => {
    const value = { gaid: '7c1e', device: { model: 'Pixel 9', os: 'Android' }, list: [1, { os: 'x' }] };
    expect(searchJson(value, 'OS')).toEqual({ value: { device: { os: 'Android' }, list: [{ os: 'x' }] }, count: 2 });
    expect(searchJson(value, 'pixel')).toEqual({ value: { device: { model: 'Pixel 9' } }, count: 1 });
    expect(searchJson(value, 'device')).toEqual({ value: { device: value.device }, count: 1 });
    expect(searchJson(value, 'nowhere')).toBeNull();
  });

  it('keeps everything for an empty term and nothing that does not match', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ minLength: 1, maxLength: 3 }), (value, term) => {
        expect(searchJson(value, '')?.value).toBe(value);
        const match = searchJson(value, term);
        if (match === null || term.trim() === '') return;
        expect(match.count).toBeGreaterThan(0);
        expect(searchJson(match.value, term)?.count).toBe(match.count);
      }),
    );
  });

  it('survives keys that mean something to JavaScript', () => {
    const hostile: unknown = JSON.parse('{"__proto__":{"polluted":"yes"}}');
    expect(JSON.stringify(searchJson(hostile, 'polluted')?.value)).toBe('{"__proto__":{"polluted":"yes"}}');
    expect(Object.prototype).not.toHaveProperty('polluted');
  });
});

describe('stored bodies', () => {
  it('[AMB-144] shows JSON text as a tree and other text as text', () => {
    expect(readBody('{"a":1}')).toEqual({ tree: { a: 1 } });
    expect(readBody([1])).toEqual({ tree: [1] });
    expect(readBody('plain')).toEqual({ text: 'plain' });
    expect(readBody('{broken')).toEqual({ text: '{broken' });
    expect(readBody(12)).toEqual({ text: '12' });
    expect(readBody('')).toBeNull();
    expect(readBody(null)).toBeNull();
  });
});

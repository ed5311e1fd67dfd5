import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonKey, jsonText, splitHidden, withMarks } from './hidden-characters.ts';

describe('hidden characters', () => {
  it.each([
    ['pay\u202Egpj.exe', 'pay⟦RLO⟧gpj.exe'],
    ['\u2066a\u2069\u200F', '⟦LRI⟧a⟦PDI⟧⟦RLM⟧'],
    ['a\u0000\u001B[31m\u007F\r', 'a␀␛[31m␡␍'],
    ['pa\u200Bypal\uFEFF\u00AD', 'pa⟦ZWSP⟧ypal⟦BOM⟧⟦SHY⟧'],
    ['a\u200Db', 'a⟦ZWJ⟧b'],
    ['\u{E0041}\u3164\u0085', '⟦U+E0041⟧⟦U+3164⟧⟦U+0085⟧'],
    ['\u2028', '⟦LS⟧'],
  ])('[S22] have a mark in their place: %j', (text, expected) => expect(withMarks(text)).toBe(expected));

  it.each(['plain\n\ttext', '👩‍👩‍👧 👍🏽', 'می‌خواهم', 'שלום', 'क्‍ष', '', 'straße 日本'])('[S22] are none of what a writing needs: %j', (text) =>
    expect(splitHidden(text)).toEqual([text]),
  );

  it('[S22] are all of what was split off, in their places', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(text, (givenText) => {
        const parts = splitHidden(givenText);
        expect(parts.map((part) => (typeof part === 'string' ? part : part.character)).join('')).toBe(givenText);
      }),
    );
  });

  it('[S22] are escaped in JSON with the same meaning; keys that differ never look alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (givenText) => {
        expect(JSON.parse(jsonText(givenText))).toBe(givenText);
      }),
    );
    expect(jsonText('a\u202Eb\u0007')).toBe(String.raw`"a\u202eb\u0007"`);
    expect(jsonKey('a\u202E')).not.toBe(jsonKey(String.raw`a\u202e`));
  });
});

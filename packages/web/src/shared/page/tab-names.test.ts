import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areTabNames, checkTabNames, openingTab } from './tab-names.ts';

describe('tab names', () => {
  it.each([[[]], [['General', 7]], [[undefined]], [null], ['General'], [{ 0: 'General', length: 1 }]])(
    '[WID-005, AMB-041] rejects %j',
    (names) => {
      expect(areTabNames(names)).toBe(false);
      expect(() => checkTabNames(names)).toThrow(TypeError);
    },
  );

  it('[WID-005] accepts every list of texts that is not empty', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (names) => {
        expect(checkTabNames(names)).toBe(names);
      }),
    );
  });

  it('[WID-001, WID-002, AMB-037] open on the wanted tab if there is one, else on the first', () => {
    expect(openingTab(['General', 'Event'], 'Event')).toBe('Event');
    for (const wantedTab of [undefined, null, '', 'event', 'Push']) expect(openingTab(['General', 'Event'], wantedTab)).toBe('General');
  });
});

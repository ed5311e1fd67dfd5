import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readKey, type PressedKey } from './read-key.ts';

const plain: PressedKey = {
  key: 'x',
  code: 'KeyX',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  timeStamp: 5_000,
  isAltGraph: false,
  isTyping: false,
};

function commandOf(pressedKey: Partial<PressedKey>, goSince: number | null = null, hasSingleKeys = true) {
  return readKey({ ...plain, ...pressedKey }, goSince, hasSingleKeys).command;
}

describe('shortcuts', () => {
  it('[KEY-001, KEY-002, KEY-003] reads the single keys of lists', () => {
    const kinds = ['/', '?', 'j', 'k', ']', '['].map((key) => commandOf({ key })?.kind);
    expect(kinds).toEqual(['search', 'help', 'next-row', 'previous-row', 'next-page', 'previous-page']);
    expect(commandOf({ key: '[', ctrlKey: true, altKey: true, isAltGraph: true })).toEqual({ kind: 'previous-page' });
    expect(commandOf({ key: 'о', code: 'KeyJ' })).toEqual({ kind: 'next-row' });
    expect(commandOf({ key: 'constructor' })).toBeNull();
  });

  it('[KEY-005] opens a page by g and a letter that follows in time', () => {
    const { command, goSince } = readKey({ ...plain, key: 'g' }, null, true);
    expect([command, goSince]).toEqual([null, 5_000]);
    expect(commandOf({ key: 'a', timeStamp: 6_500 }, goSince)).toEqual({ kind: 'go', letter: 'a' });
    expect(commandOf({ key: 'j', timeStamp: 6_501 }, goSince)).toEqual({ kind: 'next-row' });
    expect(readKey({ ...plain, key: 'a', isTyping: true }, goSince, true)).toEqual({ command: null, goSince: null });
  });

  it('[KEY-004, KEY-006] fires nothing but Ctrl or ⌘ with S or K while typing, or when single keys are off', () => {
    const press = fc.record({
      key: fc.constantFrom('/', '?', 'j', 'k', '[', ']', 'g', 'a', 's', 'S', 'Enter'),
      code: fc.constantFrom('', 'KeyS', 'KeyJ'),
      ctrlKey: fc.boolean(),
      metaKey: fc.boolean(),
      altKey: fc.boolean(),
      isAltGraph: fc.boolean(),
      timeStamp: fc.integer({ min: 0, max: 10_000 }),
      isTyping: fc.boolean(),
    });
    fc.assert(
      fc.property(press, fc.option(fc.integer({ min: 0, max: 10_000 })), fc.boolean(), (pressedKey, goSince, hasSingleKeys) => {
        const { command } = readKey(pressedKey, goSince, hasSingleKeys);
        const isCommand = /^[sk]$/i.test(pressedKey.key) && pressedKey.ctrlKey !== pressedKey.metaKey && !pressedKey.altKey;
        if (isCommand) expect(command).toEqual({ kind: pressedKey.key === 'k' ? 'palette' : 'save' });
        else if (pressedKey.isTyping || !hasSingleKeys) expect(command).toBeNull();
      }),
    );
  });
});

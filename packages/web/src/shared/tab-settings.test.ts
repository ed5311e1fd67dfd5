import { describe, expect, it } from 'vitest';
import { createTabSettings } from './tab-settings.ts';

describe('tab settings', () => {
  it('[AUTH-055] keeps the sign-in state under a prefixed name until it is removed', () => {
    const storedTexts = new Map<string, string>();
    const { googleState } = createTabSettings(() => ({
      getItem: (key) => storedTexts.get(key) ?? null,
      setItem: (key, value) => void storedTexts.set(key, value),
      removeItem: (key) => void storedTexts.delete(key),
    }));
    expect(googleState.set('Jx3k')).toBe(true);
    expect([...storedTexts]).toEqual([['switchyard_google_state', 'Jx3k']]);
    expect(googleState.get()).toBe('Jx3k');
    googleState.remove();
    expect(googleState.get()).toBeNull();
  });

  it('[AUTH-055] reports that the browser stores nothing, and goes on', () => {
    const { googleState } = createTabSettings(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(googleState.set('x')).toBe(false);
    expect(googleState.get()).toBeNull();
    expect(googleState.remove).not.toThrow();
  });
});

import { describe, expect, it } from 'vitest';
import { createTabSettings } from '../shared/tab-settings.ts';
import { createStaleChunkRecovery } from './stale-chunk.ts';

function recovery({ isDirty = false, isDown = false, keepsNothing = false } = {}) {
  const storedTexts = new Map<string, string>();
  const actions: string[] = [];
  const questions: (() => void)[] = [];
  const { staleFile } = createTabSettings(() => ({
    getItem: (key) => storedTexts.get(key) ?? null,
    setItem: (key, value) => {
      if (keepsNothing) throw new DOMException('full', 'QuotaExceededError');
      storedTexts.set(key, value);
    },
    removeItem: (key) => void storedTexts.delete(key),
  }));
  const recover = createStaleChunkRecovery({
    reachServer: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve()),
    reloadedFor: staleFile,
    hasUnsavedWork: () => isDirty,
    ask: (action) => questions.push(action),
    reload: () => actions.push('reload'),
  });
  return { recover, actions, questions };
}

describe('a file that a deployment removed', () => {
  it('[ERR-001] reloads the page once for a file, and again for another one', async () => {
    const { recover, actions } = recovery();
    expect(await recover('/assets/apps-1.js')).toBe('reloading');
    expect(await recover('/assets/apps-1.js')).toBe('given-up');
    expect(actions).toEqual(['reload']);
    expect(await recover('/assets/apps-2.js')).toBe('reloading');
  });

  it('[ERR-001] asks first while a form holds unsaved input', async () => {
    const { recover, actions, questions } = recovery({ isDirty: true });
    expect(await recover('/assets/apps-1.js')).toBe('asked');
    expect(actions).toEqual([]);
    for (const agree of questions) agree();
    expect(actions).toEqual(['reload']);
    expect(await recover('/assets/apps-1.js')).toBe('given-up');
  });

  it('[ERR-001] does not reload while the server is unavailable, nor if it could not remember having done so', async () => {
    for (const trouble of [{ isDown: true }, { keepsNothing: true }]) {
      const { recover, actions } = recovery(trouble);
      expect(await recover('/assets/apps-1.js')).toBe('given-up');
      expect(actions).toEqual([]);
    }
  });
});

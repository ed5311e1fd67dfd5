import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocalSettings } from './local-settings.ts';

function over(values: Record<string, string>) {
  const storedTexts = new Map(Object.entries(values));
  const settings = createLocalSettings({
    getItem: (key) => storedTexts.get(key) ?? null,
    setItem: (key, value) => void storedTexts.set(key, value),
    removeItem: (key) => void storedTexts.delete(key),
  });
  return { storedTexts, settings };
}

function fail(): never {
  throw new DOMException('denied', 'SecurityError');
}

describe('local settings', () => {
  it('[AUTH-022, AUTH-023, AUTH-024, AUTH-025, AUTH-026, AMB-020] keeps each value under its prefixed name', () => {
    const { storedTexts, settings } = over({});
    settings.redirect.set('/apps?page=2');
    settings.startDate.set('2026-11-20 00:00:00');
    settings.gmt.set('+02:00');
    settings.menuOpened.set(false);
    settings.theme.set('dark');
    expect(Object.fromEntries(storedTexts)).toEqual({
      switchyard_redirect: '/apps?page=2',
      switchyard_start_date: '2026-11-20 00:00:00',
      switchyard_gmt: '+02:00',
      switchyard_menu_opened: 'false',
      switchyard_theme: 'dark',
    });
    expect(settings.menuOpened.get()).toBe(false);
    settings.theme.remove();
    expect(settings.theme.get()).toBeNull();
  });

  it('[AUTH-019] counts damaged or forged values as absent', () => {
    const { settings } = over({
      switchyard_redirect: '//evil.example',
      switchyard_start_date: '2026-02-31 00:00:00',
      switchyard_gmt: 'Kyiv',
      switchyard_menu_opened: '{',
      switchyard_theme: 'pink',
      switchyard_token: '{"accessToken":1}',
      switchyard_user: '{"permissions":"all"}',
    });
    const { json: _, ...entries } = settings;
    for (const [name, entry] of Object.entries(entries)) expect(entry.get(), name).toBeNull();
  });

  it('[AUTH-019] reads anything at all without failing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (raw) => {
        const { settings } = over({ switchyard_token: raw, switchyard_user: raw, switchyard_menu_opened: raw, switchyard_gmt: raw });
        for (const entry of [settings.token, settings.user, settings.menuOpened, settings.gmt]) expect(() => entry.get()).not.toThrow();
      }),
    );
  });

  it('[AUTH-019] goes on without a storage: values then last as long as the page', () => {
    const settings = createLocalSettings({ getItem: fail, setItem: fail, removeItem: fail });
    expect(settings.theme.get()).toBeNull();
    settings.theme.set('dark');
    expect(settings.theme.get()).toBe('dark');
    settings.theme.remove();
    expect(settings.theme.get()).toBeNull();
  });

  it('[AUTH-019] leaves no former value behind when the storage is full', () => {
    const storedTexts = new Map([['switchyard_theme', 'light']]);
    const settings = createLocalSettings({
      getItem: (key) => storedTexts.get(key) ?? null,
      setItem: fail,
      removeItem: (key) => void storedTexts.delete(key),
    });
    settings.theme.set('dark');
    expect(settings.theme.get()).toBe('dark');
    expect([...storedTexts]).toEqual([]);
  });
});

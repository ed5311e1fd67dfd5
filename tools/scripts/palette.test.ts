import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../packages/web/src/shared/ui/theme/palette.css', import.meta.url), 'utf8');
const tones = ['accent', 'success', 'warning', 'danger', 'info', 'neutral'];

function readPalette(selector: string): Map<string, string> {
  const from = css.indexOf(`${selector} {`);
  const block = css.slice(from, css.indexOf('}', from));
  return new Map([...block.matchAll(/--sy-([\w-]+):\s*(#[0-9a-f]{6})/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

const light = readPalette(':root');
const dark = readPalette(":root[data-mantine-color-scheme='dark']");

/** Relative luminance, WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const grounds = ['bg', 'surface', 'raised', 'hover', 'selected'];
const types = [...light.keys()].filter((name) => name.startsWith('type-'));
const levels = [...light.keys()].filter((name) => name.startsWith('level-'));

describe.each([
  ['light', light],
  ['dark', dark],
])('%s palette', (_, palette) => {
  const colour = (name: string): string => {
    const hex = palette.get(name);
    if (hex === undefined) throw new Error(`--sy-${name} is missing`);
    return hex;
  };

  it('[SHELL-016] has texts of at least 4.5:1 on every ground', () => {
    for (const ground of grounds) {
      for (const text of ['text', 'dimmed'])
        expect(contrast(colour(text), colour(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(colour('placeholder'), colour('surface'))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(tones)('[SHELL-016] has a legible %s tone: text on its soft ground and on the page, white on its solid', (tone) => {
    for (const ground of [`${tone}-soft`, `${tone}-soft-hover`, 'surface', 'bg', 'raised', 'hover']) {
      expect(contrast(colour(`${tone}-text`), colour(ground)), `${tone}-text on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
    for (const solid of [tone, `${tone}-hover`])
      expect(contrast('#ffffff', colour(solid)), `white on ${solid}`).toBeGreaterThanOrEqual(4.5);
  });

  it('[SHELL-016] has control borders, focus marks, request types and log levels of at least 3:1', () => {
    for (const name of ['control', 'focus', ...types, ...levels]) {
      for (const ground of ['bg', 'surface', 'hover'])
        expect(contrast(colour(name), colour(ground)), `${name} on ${ground}`).toBeGreaterThanOrEqual(3);
    }
    expect([types.length, levels.length]).toEqual([7, 8]);
  });

  it('[SHELL-016] shows switches, radio buttons, boxes and fields at 3:1 on what is around them, also where they are off', () => {
    // Off and disabled ones are drawn with `control`, on their own ground and on the page's; checked ones are filled.
    for (const ground of [...grounds, 'sunken', 'accent-soft'])
      expect(contrast(colour('control'), colour(ground)), `control on ${ground}`).toBeGreaterThanOrEqual(3);
    expect(contrast('#ffffff', colour('control')), 'the thumb of a switch that is off').toBeGreaterThanOrEqual(3);
    for (const ground of ['bg', 'surface', 'raised', 'hover'])
      expect(contrast(colour('accent'), colour(ground)), `accent on ${ground}`).toBeGreaterThanOrEqual(3);
    for (const ground of ['surface', 'sunken', 'accent-soft'])
      expect(contrast(colour('accent-text'), colour(ground)), `a chosen radio button on ${ground}`).toBeGreaterThanOrEqual(3);
    for (const ground of [...grounds, 'sunken'])
      expect(contrast(colour('focus'), colour(ground)), `focus on ${ground}`).toBeGreaterThanOrEqual(3);
    for (const text of ['text', 'dimmed', 'placeholder'])
      expect(contrast(colour(text), colour('sunken')), `${text} in a disabled field`).toBeGreaterThanOrEqual(4.5);
  });

  it('[SHELL-016] defines the same names in both themes', () => {
    expect([...palette.keys()].toSorted()).toEqual([...light.keys()].toSorted());
  });
});

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

/** Red, green and blue of a colour of the page in linear light. */
function linearLight(colour: string): number[] {
  return [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

/** Relative luminance, WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = linearLight(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** What people with a deficiency of one kind of cones see, in linear light (Machado, Oliveira and Fernandes 2009, at its full severity). */
const deficiencies = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;
const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;

/** A colour in CIELAB, as it is seen through a matrix of linear light. */
function labOf(colour: string, matrix: readonly number[]): [lightness: number, a: number, b: number] {
  const parts = linearLight(colour);
  const [red = 0, green = 0, blue = 0] = [0, 3, 6].map((row) => {
    const seen = parts.reduce((sum, part, at) => sum + part * (matrix[row + at] ?? 0), 0);
    return Math.min(1, Math.max(0, seen));
  });
  const [x = 0, y = 0, z = 0] = [
    (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047,
    0.2126729 * red + 0.7151522 * green + 0.072175 * blue,
    (0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883,
  ].map((part) => (part > 216 / 24_389 ? Math.cbrt(part) : ((24_389 / 27) * part + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The distance of two colours in CIELAB by CIEDE2000. 1 is just noticed side by side. */
function distance(one: readonly [number, number, number], other: readonly [number, number, number]): number {
  const radians = Math.PI / 180;
  const [[l1, a1, b1], [l2, a2, b2]] = [one, other];
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const stretch = 1 + 0.5 * (1 - Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7)));
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const hueOf = (a: number, b: number): number => (Math.atan2(b, a * stretch) / radians + 360) % 360;
  const [h1, h2] = [hueOf(a1, b1), hueOf(a2, b2)];
  const turn = c1 * c2 === 0 ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const hue = c1 * c2 === 0 ? h1 + h2 : (h1 + turn / 2 + 360) % 360;
  const [lightness, chroma] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const cos = (degrees: number): number => Math.cos(degrees * radians);
  const t = 1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + 6) - 0.2 * cos(4 * hue - 63);
  const inLightness = (l2 - l1) / (1 + (0.015 * (lightness - 50) ** 2) / Math.sqrt(20 + (lightness - 50) ** 2));
  const inChroma = (c2 - c1) / (1 + 0.045 * chroma);
  const inHue = (2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * radians)) / (1 + 0.015 * chroma * t);
  const rotation = -2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) * Math.sin(60 * Math.exp(-(((hue - 275) / 25) ** 2)) * radians);
  return Math.sqrt(inLightness ** 2 + inChroma ** 2 + inHue ** 2 + rotation * inChroma * inHue);
}

it('[REP-073] measures colours as CIEDE2000 does', () => {
  // Pairs 1, 7, 17 and 24 of the test data of Sharma, Wu and Dalal (2005).
  expect(distance([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(distance([50, 0, 0], [50, -1, 2])).toBeCloseTo(2.3669, 4);
  expect(distance([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
  expect(distance([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387])).toBeCloseTo(1.2644, 4);
});

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

  it.each(Object.entries({ 'full colour vision': identity, ...deficiencies }))(
    '[REP-073] tells the series of a chart apart with %s',
    (name, matrix) => {
      // Others and compared values have the colour of controls.
      const series = [...types, 'control'].map((type) => ({ type, lab: labOf(colour(type), matrix) }));
      for (const [at, one] of series.entries())
        for (const other of series.slice(at + 1))
          expect(distance(one.lab, other.lab), `${one.type} and ${other.type} with ${name}`).toBeGreaterThanOrEqual(12);
    },
  );

  it('[SHELL-016] defines the same names in both themes', () => {
    expect([...palette.keys()].toSorted()).toEqual([...light.keys()].toSorted());
  });
});

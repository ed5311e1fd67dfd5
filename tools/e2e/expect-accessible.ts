import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

type Result = { violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] };

/**
 * Scrolls to where nothing lies half under the sticky header, because axe checks what can be seen of a control. Cards out of view are
 * laid out too: the browser gives those that it skips an estimated height, and axe would find their controls upon those of the next card.
 */
const showWhole = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important; }');
  document.adoptedStyleSheets.push(sheet);
  window.scrollTo({ top: 0, behavior: 'instant' });
})()`;

/** Waits until all animations and layout changes have finished. */
const rest = `(async () => {
  const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map((animation) => animation.finished));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
})()`;

/** Puts the page into the other theme and gives the name of the one it is in then. */
const turnTheme = `(() => {
  const { dataset } = document.documentElement;
  dataset.mantineColorScheme = dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
  return dataset.mantineColorScheme;
})()`;

/** The rule for the size of controls, which counts only what no other control lies upon. */
const sizeRule = 'target-size';

/** Rules whose result depends on colours. All others give the same result in both themes. From the axe that ran on the page before. */
const lookAtColours = `axe.run(document, {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
  preload: false,
}).then(({ violations }) => ({ violations }))`;

/**
 * Throws the list of rules and elements if the page breaks WCAG 2.2 A or AA as far as axe can detect, in its own theme or, for its
 * colours, in the other one. Leaves the page in its theme and at its top, unless it is to be tested at its scroll position, where
 * parts may be under its header. With an open `layer`, the size of controls is tested in the layer alone, since it lies upon those below.
 */
export async function expectAccessible(page: Page, place: 'top' | 'here' | { layer: string } = 'top'): Promise<void> {
  if (place === 'top') await page.evaluate(showWhole);
  await page.evaluate(rest);
  const all = new AxeBuilder({ page })
    // First, because it replaces what else was chosen; without lists of what is right.
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    // The kit's dialogs have a header element, which counts as a second banner beside the page's own.
    // An element that is partly covered by a sticky one is checked by its visible part; scrolling uncovers it.
    .disableRules(['landmark-no-duplicate-banner', 'landmark-unique', ...(place === 'top' ? [] : [sizeRule])])
    // In the page itself, which needs no second page for the result.
    .setLegacyMode();
  expect(findings(await all.analyze())).toEqual([]);
  if (typeof place === 'object') {
    const sizes = await new AxeBuilder({ page }).include(place.layer).withRules(sizeRule).setLegacyMode().analyze();
    expect(sizes.passes.length).toBeGreaterThan(0);
    expect(findings(sizes)).toEqual([]);
  }
  const theme = await page.evaluate<string>(turnTheme);
  await page.evaluate(rest);
  expect(findings(await page.evaluate<Result>(lookAtColours)), `in the ${theme} theme`).toEqual([]);
  await page.evaluate(turnTheme);
}

function findings({ violations }: Result): string[] {
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}

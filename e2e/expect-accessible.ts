import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rules whose verdict hangs on colours; all others say the same in both themes. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Puts the page into the other theme and gives the name of the one it is in then. */
const turnTheme = `(() => {
  const { dataset } = document.documentElement;
  dataset.mantineColorScheme = dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
  return dataset.mantineColorScheme;
})()`;

/**
 * Fails with the list of rules and elements when the page breaks WCAG 2.2 A or AA as far as axe can tell, in its own
 * theme or, by its colours, in the other one. The page is left in the theme it was in.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const all = axeOn(page)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    // The kit's dialogs have a header element, which counts as a second banner beside the page's own.
    .disableRules(['landmark-no-duplicate-banner', 'landmark-unique']);
  expect(await findings(all)).toEqual([]);
  const theme = await page.evaluate<string>(turnTheme);
  expect(await findings(axeOn(page).withRules(colourRules)), `in the ${theme} theme`).toEqual([]);
  await page.evaluate(turnTheme);
}

/** In the page itself, which needs no second page for the result, and without lists of what is right. */
function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
}

async function findings(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}

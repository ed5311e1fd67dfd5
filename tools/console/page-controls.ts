import { setTimeout as sleep } from 'node:timers/promises';
import type { ElementHandle, Page } from 'puppeteer-core';

/** The elements that may have a role; hidden ones do not count. */
const elementsOf = {
  button: 'button, [role="button"]',
  complementary: 'aside, [role="complementary"]',
  combobox: '[role="combobox"], input[aria-haspopup="listbox"]',
  grid: '[role="grid"]',
  heading: 'h1, h2, h3, h4, h5, h6',
  link: 'a[href]',
  menuitem: '[role="menuitem"]',
  option: '[role="option"]',
  region: 'section, [role="region"]',
  table: 'table, [role="table"]',
  textbox: 'input, textarea',
};

/** A control as assistive technology names it. `at` counts from 0. */
export type Control = { role: keyof typeof elementsOf; name: RegExp; within?: Control; at?: number };

/** Milliseconds between two checks of a page while waiting. */
const interval = 50;

/** Repeats a check of the page until it returns something. Throws after the default timeout of the page. */
async function poll<Found>(page: Page, subject: string, look: () => Promise<Found | null>): Promise<Found> {
  const deadline = performance.now() + page.getDefaultTimeout();
  for (;;) {
    // Navigation ends the check.
    const value = await look().catch(() => null);
    if (value !== null) return value;
    if (performance.now() > deadline) throw new Error(`${subject}: not there after ${page.getDefaultTimeout()} ms`);
    await sleep(interval);
  }
}

/** Finds a visible control; null when there is none now. */
export async function findControl(page: Page, { role, name, within, at = 0 }: Control): Promise<ElementHandle | null> {
  const root = within === undefined ? await page.$('body') : await findControl(page, within);
  if (root === null) return null;
  // Runs in the page: it can use nothing from around it.
  const handle = await root.evaluateHandle(
    (top, selector, source, flags, index) => {
      const pattern = new RegExp(source, flags);
      const nameOf = (element: typeof top): string => {
        const labels = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id: string) => top.ownerDocument.getElementById(id));
        const texts = [...labels, ...(element.labels ?? [])].map((label) => label?.textContent ?? '');
        const own = element.cloneNode(true);
        for (const hiddenElement of own.querySelectorAll('[aria-hidden="true"]')) hiddenElement.remove();
        const text = element.getAttribute('aria-label') ?? (texts.join(' ').trim() || own.textContent);
        return text.replaceAll(/\s+/g, ' ').trim();
      };
      const isSeen = (element: typeof top): boolean => element.checkVisibility({ visibilityProperty: true });
      return [...top.querySelectorAll(selector)].filter((element) => isSeen(element) && pattern.test(nameOf(element)))[index] ?? null;
    },
    elementsOf[role],
    name.source,
    name.flags,
    at,
  );
  return handle.asElement();
}

/** Waits for a control and gives it. */
export function waitForControl(page: Page, control: Control): Promise<ElementHandle> {
  return poll(page, `${control.role} ${String(control.name)}`, () => findControl(page, control));
}

/** Clicks a control as soon as it is there, in the middle of the window, where no header or save bar covers it. */
export async function clickControl(page: Page, control: Control): Promise<void> {
  for (;;) {
    const element = await waitForControl(page, control);
    try {
      await element.evaluate((one) => one.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' }));
      await element.click();
      return;
    } catch (error) {
      // A new render may replace the element between finding and clicking it; then the new one is clicked.
      if (await element.evaluate((one) => one.isConnected)) throw error;
    }
  }
}

/** Replaces the text of a field by typing. */
export async function fillField(page: Page, name: RegExp, text: string): Promise<void> {
  const element = await waitForControl(page, { role: 'textbox', name });
  await element.focus();
  await element.evaluate((field) => field.select());
  await page.keyboard.type(text);
}

/** The path that the page is at. Asked of the page itself: Firefox ESR does not report what a page does to its address. */
export const pathOf = (page: Page): Promise<string> => page.$eval('body', (body) => body.ownerDocument.location.pathname);

/** Goes to another page of the console. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
}

/** Waits until the page is at a path that fits. */
export async function waitForPath(page: Page, fits: (path: string) => boolean): Promise<void> {
  await poll(page, 'the next page', async () => fits(await pathOf(page)) || null);
}

/** Waits until no visible element matches a selector. */
export async function waitUntilGone(page: Page, selector: string): Promise<void> {
  await poll(page, `the end of ${selector}`, async () => (await page.$(selector)) === null || null);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, launch, type Page, ProtocolError } from 'puppeteer-core';
import { findBrowser, findFirefox } from './find-browser.ts';
import { demoScreens, settle, type DemoScreen } from './demo-screens.ts';
import { clickControl, fillField, waitForPath } from './page-controls.ts';

type Size = { readonly width: number; readonly height: number };
/** A theme and a size of a window. */
export type Look = { readonly theme: string; readonly viewport: Size };
type Account = { readonly email: string; readonly password: string };

/** The browsers that the screens can be opened in. */
export const browserNames = ['chromium', 'firefox'] as const;
export type BrowserName = (typeof browserNames)[number];

/** A browser that runs, and how to end it and what it stored. */
export type RunningBrowser = { readonly browser: Browser; readonly stop: () => Promise<void> };

/** Starts a browser in which nothing moves. Throws when it is not installed. */
export async function startBrowser(name: BrowserName): Promise<RunningBrowser> {
  // The size is given to each window: the default one would be set in a way that older versions of Firefox do not know.
  if (name === 'chromium') {
    const args = ['--no-sandbox', '--force-prefers-reduced-motion', '--hide-scrollbars'];
    const browser = await launch({ executablePath: await findBrowser(), headless: 'shell', defaultViewport: null, args });
    return { browser, stop: () => browser.close() };
  }
  const executablePath = findFirefox();
  if (executablePath === undefined) throw new Error('Firefox is not installed.');
  // Firefox writes into the home folder, and as root refuses that of another account.
  const home = await mkdtemp(join(tmpdir(), 'switchyard-firefox-'));
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    defaultViewport: null,
    env: { ...process.env, HOME: home },
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
  });
  const stop = async (): Promise<void> => {
    await browser.close();
    await rm(home, { recursive: true, force: true });
  };
  return { browser, stop };
}

/** Gives a page its size. */
export async function setSize(page: Page, size: Size): Promise<void> {
  await page.setViewport({ ...size, deviceScaleFactor: 1 }).catch((error: unknown) => {
    // Sent beside the size; the current Firefox ESR knows no orientation.
    if (!(error instanceof ProtocolError) || !error.message.includes('setScreenOrientationOverride')) throw error;
  });
}

/** Opens a window with storage of its own, in a theme and a size. `page.browserContext().close()` closes it. */
export async function openWindow(browser: Browser, { theme, viewport }: Look): Promise<Page> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await setSize(page, viewport);
  // Leaving a form that was changed asks before; nothing else goes on until it has its answer.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.evaluateOnNewDocument((values) => {
    try {
      localStorage.setItem('switchyard_theme', values);
    } catch {
      // Frames in a sandbox have no storage.
    }
  }, theme);
  return page;
}

/** Opens the login page of the console at `url` and waits until all of it is there. */
export async function openLogin(page: Page, url: string): Promise<void> {
  await page.goto(new URL('/login', url).href);
  await settle(page);
}

/** Signs in on the login page and waits until all of the next page is there: Firefox rejects a navigation during another. */
export async function signIn(page: Page, { email, password }: Account): Promise<void> {
  await fillField(page, /^Email/, email);
  await fillField(page, /^Password\b/, password);
  await clickControl(page, { role: 'button', name: /^Login/ });
  await waitForPath(page, (path) => path !== '/login');
  await settle(page);
}

/**
 * Screens whose names begin with one of the prefixes, which are separated by commas. The login page is separate, because it needs
 * no session.
 */
export function chooseScreens(beginnings: string): { hasLogin: boolean; screens: readonly DemoScreen[] } {
  const isWanted = (name: string): boolean => beginnings.split(',').some((beginning) => name.startsWith(beginning));
  return { hasLogin: isWanted('login'), screens: demoScreens.filter(({ name }) => isWanted(name)) };
}

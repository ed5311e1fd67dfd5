import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import axe from 'axe-core';
import type { Browser, Page } from 'puppeteer-core';
import { z } from 'zod';
import { writeContactSheets, type SheetPicture } from './contact-sheet.ts';
import { openScreen, settle } from '../console/demo-screens.ts';
import { sendHostileAnswers } from '../console/hostile-answers.ts';
import { layoutFaults } from '../console/layout-faults.ts';
import { browserNames, chooseScreens, type Look, openLogin, openWindow, setSize, signIn, startBrowser } from '../console/visit-console.ts';

/** Every role that the demo has an account of, and one that sees some apps only. */
const accounts = ['super', 'admin', 'manager', 'reviewer', 'restricted', 'buyer', 'qa', 'superbuyer'];
const themes = ['light', 'dark'];
const sizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    password: { type: 'string', default: 'Demo-Switchyard-1' },
    folder: { type: 'string', default: '/tmp/switchyard-visual-audit' },
    /** The browser: `chromium`, or `firefox` where it is installed. */
    browser: { type: 'string', default: 'chromium' },
    /** Only these accounts, themes, widths; separated by commas. */
    account: { type: 'string', default: accounts.join() },
    theme: { type: 'string', default: themes.join() },
    width: { type: 'string', default: sizes.map(({ width }) => width).join() },
    /** Only the screens whose name begins so; several beginnings are separated by commas. */
    only: { type: 'string', default: '' },
    /** Looks at every screen with axe as well. */
    axe: { type: 'boolean', default: false },
    /** Shows names of 80 characters without a space, names from right to left, and counts in billions. */
    hostile: { type: 'boolean', default: false },
    /** Loads each screen once and then changes its theme and width, which takes a third of the time. */
    resize: { type: 'boolean', default: false },
  },
});

const folder = resolve(values.folder);
mkdirSync(folder, { recursive: true });
const choose = (list: string, from: readonly string[]): string[] => from.filter((one) => list.split(',').includes(one));
const { hasLogin, screens } = chooseScreens(values.only);
const browserName = browserNames.find((name) => name === values.browser);
if (browserName === undefined) throw new Error(`--browser is one of ${browserNames.join(', ')}`);
const count = { screens: 0, closed: 0, findings: 0 };

/** Notes what goes wrong in a page from now on; gives what was noted since it was asked last. */
function listen(page: Page): () => string[] {
  let heardErrors: string[] = [];
  page.on('console', (message) => {
    // A failed call is reported with its address below; the frame that asks an app's host may do both that the browser warns of (decision
    // 16).
    const isKnown = /^(Failed to load resource|An iframe which has both allow-scripts)/.test(message.text());
    if (['error', 'warn'].includes(message.type()) && !isKnown) heardErrors.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => heardErrors.push(`page error: ${String(error)}`));
  page.on('response', (response) => {
    if (response.status() >= 400)
      heardErrors.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  page.on('requestfailed', (request) => {
    // Leaving a screen ends what it still loads; pictures in pushes of the demo are at addresses that do not exist.
    if (request.url().startsWith(values.url) && !/ABORTED/.test(request.failure()?.errorText ?? ''))
      heardErrors.push(`failed: ${request.method()} ${request.url()}`);
  });
  return () => {
    const since = heardErrors;
    heardErrors = [];
    return since;
  };
}

/** The rules of axe in a page. Frames are left out, because one of them may run no script. */
const runAxe = `axe.run(document, {
  resultTypes: ['violations'],
  iframes: false,
  rules: { 'landmark-no-duplicate-banner': { enabled: false }, 'landmark-unique': { enabled: false } },
}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => 'axe ' + id + ': ' + target.join(' '))))`;

/** Violations that axe finds on the page. */
async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(`window.scrollTo({ top: 0, behavior: 'instant' })`);
  await page.evaluate(axe.source);
  return z.array(z.string()).parse(await page.evaluate(runAxe));
}

/** Changes the theme and the size of an open page, and waits until it is drawn. */
async function changeLook(page: Page, { theme, viewport }: Look): Promise<void> {
  await setSize(page, viewport);
  // Otherwise another control would come under the pointer and show its tooltip.
  await page.mouse.move(0, 0);
  // A choice in another tab changes the theme here.
  await page.evaluate(
    `localStorage.setItem('switchyard_theme', '${theme}');
    dispatchEvent(new StorageEvent('storage', { key: 'switchyard_theme', newValue: '${theme}', storageArea: localStorage }));`,
  );
  await settle(page, { idleTime: 150 });
}

/** Opens all screens as one account in one window and reports the defects of each combination of theme and width. */
async function auditScreens(browser: Browser, account: string, looks: readonly Look[]): Promise<void> {
  const pictures = new Map<string, SheetPicture[]>();
  const [first] = looks;
  if (first === undefined) return;
  const page = await openWindow(browser, first);
  page.setDefaultTimeout(account === 'super' ? 15_000 : 5_000);
  if (values.hostile) await sendHostileAnswers(page);
  const stopListening = listen(page);
  const look = async (name: string): Promise<void> => {
    for (const one of looks) {
      if (looks.length > 1) await changeLook(page, one);
      const { theme, viewport } = one;
      const file = `${account}-${name}-${theme}-${viewport.width}.png`;
      await page.screenshot({ path: `${folder}/${file}` });
      pictures.set(name, [...(pictures.get(name) ?? []), { title: `${name} ${theme} ${viewport.width}`, file }]);
      count.screens += 1;
      for (const finding of [...stopListening(), ...(await layoutFaults(page)), ...(values.axe ? await axeFaults(page) : [])]) {
        count.findings += 1;
        process.stdout.write(`${account} ${theme} ${viewport.width} ${name}: ${finding}\n`);
      }
    }
    if (looks.length > 1) await changeLook(page, first);
  };
  await openLogin(page, values.url);
  if (hasLogin) await look('login');
  await signIn(page, { email: `${account}.demo@switchyard.local`, password: values.password });
  for (const screen of screens) {
    stopListening();
    const outcome = await openScreen(page, screen).catch((error: unknown) => String(error).split('\n')[0] ?? '');
    // A screen that another account may not see has no link to it.
    if (outcome === false || (outcome !== true && account !== 'super')) {
      count.closed += 1;
      continue;
    }
    if (outcome !== true) {
      count.findings += 1;
      process.stdout.write(`${account} ${first.theme} ${first.viewport.width} ${screen.name}: not reached: ${outcome}\n`);
    }
    await look(screen.name);
  }
  await page.browserContext().close();
  const sheet = looks.length > 1 ? `sheet-${account}` : `sheet-${account}-${first.theme}-${first.viewport.width}`;
  await writeContactSheets(browser, folder, sheet, [...pictures.values()].flat());
}

const viewports = sizes.filter(({ width }) => values.width.split(',').includes(String(width)));
const looksOf = (theme: string): Look[] => viewports.map((viewport) => ({ theme, viewport }));
const chosenThemes = choose(values.theme, themes);
const { browser, stop } = await startBrowser(browserName);
for (const account of choose(values.account, accounts)) {
  const looks = chosenThemes.flatMap(looksOf);
  for (const sharedLooks of values.resize ? [looks] : looks.map((one) => [one])) await auditScreens(browser, account, sharedLooks);
}
await stop();
process.stdout.write(
  `${count.findings} findings on ${count.screens} screens (${count.closed} more are closed to their account); pictures and contact sheets are in ${folder}\n`,
);
if (count.findings > 0) process.exitCode = 1;

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import axe from 'axe-core';
import type { Page } from 'puppeteer-core';
import { z } from 'zod';
import { writeContactSheets, type SheetPicture } from './contact-sheet.ts';
import { openScreen } from '../console/demo-screens.ts';
import { layoutFaults } from '../console/layout-faults.ts';
import { type BrowserName, browserNames, chooseScreens, openLogin, openWindow, signIn, startBrowser } from '../console/visit-console.ts';

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
  },
});

const folder = resolve(values.folder);
mkdirSync(folder, { recursive: true });
const chosen = (list: string, from: readonly string[]): string[] => from.filter((one) => list.split(',').includes(one));
const { hasLogin, screens } = chooseScreens(values.only);
const browserName = browserNames.find((name) => name === values.browser);
if (browserName === undefined) throw new Error(`--browser is one of ${browserNames.join(', ')}`);
const count = { screens: 0, closed: 0, findings: 0 };

/** Notes what goes wrong in a page from now on; gives what was noted since it was asked last. */
function listen(page: Page): () => string[] {
  let heard: string[] = [];
  page.on('console', (message) => {
    // A refused call is told with its address below; the frame that asks an app's host may do both that the browser warns of (decision 16).
    const isKnown = /^(Failed to load resource|An iframe which has both allow-scripts)/.test(message.text());
    if (['error', 'warn'].includes(message.type()) && !isKnown) heard.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => heard.push(`page error: ${String(error)}`));
  page.on('response', (response) => {
    if (response.status() >= 400) heard.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  page.on('requestfailed', (request) => {
    // Leaving a screen ends what it still loads; pictures in pushes of the demo are at addresses that do not exist.
    if (request.url().startsWith(values.url) && !/ABORTED/.test(request.failure()?.errorText ?? ''))
      heard.push(`failed: ${request.method()} ${request.url()}`);
  });
  return () => {
    const since = heard;
    heard = [];
    return since;
  };
}

/** What axe runs in a page: it looks into no frame, because one of them may run nothing. */
const runAxe = `axe.run(document, {
  resultTypes: ['violations'],
  iframes: false,
  rules: { 'landmark-no-duplicate-banner': { enabled: false }, 'landmark-unique': { enabled: false } },
}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => 'axe ' + id + ': ' + target.join(' '))))`;

/** What axe finds on the page. */
async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(`window.scrollTo({ top: 0, behavior: 'instant' })`);
  await page.evaluate(axe.source);
  return z.array(z.string()).parse(await page.evaluate(runAxe));
}

/** Opens all screens as one account in one theme and reports what it finds. */
async function auditScreens(account: string, theme: string, engine: BrowserName): Promise<void> {
  const { browser, stop } = await startBrowser(engine);
  const pictures = new Map<string, SheetPicture[]>();
  for (const viewport of sizes.filter(({ width }) => values.width.split(',').includes(String(width)))) {
    const page = await openWindow(browser, { theme, viewport });
    page.setDefaultTimeout(account === 'super' ? 15_000 : 5_000);
    const heard = listen(page);
    const look = async (name: string): Promise<void> => {
      const file = `${account}-${name}-${theme}-${viewport.width}.png`;
      await page.screenshot({ path: `${folder}/${file}` });
      pictures.set(name, [...(pictures.get(name) ?? []), { title: `${name} ${viewport.width}`, file }]);
      count.screens += 1;
      for (const finding of [...heard(), ...(await layoutFaults(page)), ...(values.axe ? await axeFaults(page) : [])]) {
        count.findings += 1;
        process.stdout.write(`${account} ${theme} ${viewport.width} ${name}: ${finding}\n`);
      }
    };
    await openLogin(page, values.url);
    if (hasLogin) await look('login');
    await signIn(page, { email: `${account}.demo@switchyard.local`, password: values.password });
    for (const screen of screens) {
      heard();
      const outcome = await openScreen(page, screen).catch((error: unknown) => String(error).split('\n')[0] ?? '');
      // What an account other than the first may not see has no way to be opened.
      if (outcome === false || (outcome !== true && account !== 'super')) {
        count.closed += 1;
        continue;
      }
      if (outcome !== true) {
        count.findings += 1;
        process.stdout.write(`${account} ${theme} ${viewport.width} ${screen.name}: not reached: ${outcome}\n`);
      }
      await look(screen.name);
    }
    await page.browserContext().close();
  }
  await writeContactSheets(browser, folder, `sheet-${account}-${theme}`, [...pictures.values()].flat());
  await stop();
}

for (const account of chosen(values.account, accounts)) {
  await Promise.all(chosen(values.theme, themes).map((theme) => auditScreens(account, theme, browserName)));
}
process.stdout.write(
  `${count.findings} findings on ${count.screens} screens (${count.closed} more are closed to their account); pictures and contact sheets are in ${folder}\n`,
);
if (count.findings > 0) process.exitCode = 1;

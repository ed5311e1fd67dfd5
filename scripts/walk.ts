import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../e2e/find-browser.ts';
import { fillSignIn } from '../e2e/sign-in-form.ts';
import { writeContactSheets, type SheetPicture } from './contact-sheet.ts';
import { demoScreens, openScreen, settle, type DemoScreen } from './demo-screens.ts';
import { layoutFaults } from './layout-faults.ts';

/** Every role that the demo has an account of, and one that sees some apps only. */
const accounts = ['super', 'admin', 'manager', 'reviewer', 'restricted', 'buyer', 'qa', 'superbuyer'];
const themes = ['light', 'dark'];
const sizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    password: { type: 'string', default: 'Demo-Switchyard-1' },
    folder: { type: 'string', default: '/tmp/switchyard-walk' },
    /** Only these accounts, themes, widths; separated by commas. */
    account: { type: 'string', default: accounts.join() },
    theme: { type: 'string', default: themes.join() },
    width: { type: 'string', default: sizes.map(({ width }) => width).join() },
    /** Only the screens whose name begins so. */
    only: { type: 'string', default: '' },
    /** Looks at every screen with axe as well. */
    axe: { type: 'boolean', default: false },
  },
});

const folder = resolve(values.folder);
mkdirSync(folder, { recursive: true });
const chosen = (list: string, from: readonly string[]): string[] => from.filter((one) => list.split(',').includes(one));
const login: DemoScreen = { name: 'login', path: '/login' };
const wanted = [login, ...demoScreens].filter(({ name }) => name.startsWith(values.only));
const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
const count = { screens: 0, closed: 0, findings: 0 };

/** Notes what goes wrong in a page from now on; gives what was noted since it was asked last. */
function listen(page: Page): () => string[] {
  let heard: string[] = [];
  page.on('console', (message) => {
    // A refused call is told with its address below.
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource'))
      heard.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => heard.push(`page error: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) heard.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  page.on('requestfailed', (request) => {
    // Leaving a screen ends what it still loads; pictures in pushes of the demo are at addresses that do not exist.
    if (request.url().startsWith(values.url) && request.failure()?.errorText !== 'net::ERR_ABORTED')
      heard.push(`failed: ${request.method()} ${request.url()}`);
  });
  return () => {
    const since = heard;
    heard = [];
    return since;
  };
}

async function axeFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).disableRules(['landmark-no-duplicate-banner', 'landmark-unique']).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `axe ${id}: ${target.join(' ')}`));
}

/** Walks through all screens as one account in one theme and prints what it finds. */
async function walk(account: string, theme: string): Promise<void> {
  const pictures = new Map<string, SheetPicture[]>();
  for (const viewport of sizes.filter(({ width }) => values.width.split(',').includes(String(width)))) {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', baseURL: values.url });
    await context.addInitScript((name) => {
      try {
        localStorage.setItem('switchyard_theme', name);
      } catch {
        // Frames in a sandbox have no storage.
      }
    }, theme);
    const page = await context.newPage();
    page.setDefaultTimeout(account === 'super' ? 15_000 : 5_000);
    const heard = listen(page);
    const look = async (screen: DemoScreen): Promise<void> => {
      const file = `${account}-${screen.name}-${theme}-${viewport.width}.png`;
      await page.screenshot({ path: `${folder}/${file}` });
      pictures.set(screen.name, [...(pictures.get(screen.name) ?? []), { title: `${screen.name} ${viewport.width}`, file }]);
      count.screens += 1;
      for (const finding of [...heard(), ...(await layoutFaults(page)), ...(values.axe ? await axeFaults(page) : [])]) {
        count.findings += 1;
        process.stdout.write(`${account} ${theme} ${viewport.width} ${screen.name}: ${finding}\n`);
      }
    };
    await page.goto('/login');
    await settle(page);
    if (wanted.includes(login)) await look(login);
    await fillSignIn(page, `${account}.demo@switchyard.local`, values.password);
    await page.waitForURL((url) => url.pathname !== '/login');
    for (const screen of wanted.filter((one) => one !== login)) {
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
      await look(screen);
    }
    await context.close();
  }
  await writeContactSheets(browser, folder, `sheet-${account}-${theme}`, [...pictures.values()].flat());
}

for (const account of chosen(values.account, accounts)) {
  await Promise.all(chosen(values.theme, themes).map((theme) => walk(account, theme)));
}
await browser.close();
process.stdout.write(
  `${count.findings} findings on ${count.screens} screens (${count.closed} more are closed to their account); pictures and contact sheets are in ${folder}\n`,
);
if (count.findings > 0) process.exitCode = 1;

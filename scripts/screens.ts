import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../e2e/find-browser.ts';
import { fillSignIn } from '../e2e/sign-in-form.ts';

/** The screens of the console: where each is, and what to do there before the picture is taken. */
const screens: readonly { name: string; path: string; prepare?: (page: Page) => Promise<void> }[] = [
  { name: 'apps', path: '/apps' },
  { name: 'requests', path: '/requests' },
  { name: 'request-panel', path: '/requests', prepare: (page) => page.getByRole('button', { name: 'Show' }).first().click() },
  { name: 'home', path: '/' },
  { name: 'sessions', path: '/sessions' },
  { name: 'not-found', path: '/nowhere' },
];
const sizes = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];
const folder = 'docs/screens';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    email: { type: 'string', default: 'super.demo@switchyard.local' },
    password: { type: 'string', default: 'Demo-Switchyard-1' },
  },
});

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
for (const theme of ['light', 'dark'] as const) {
  for (const viewport of sizes) {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', baseURL: values.url });
    await context.addInitScript((wanted) => localStorage.setItem('switchyard_theme', wanted), theme);
    const page = await context.newPage();
    const shoot = async (name: string): Promise<void> => {
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: `${folder}/${name}-${theme}-${viewport.width}.png` });
    };
    await page.goto('/login');
    await shoot('login');
    await fillSignIn(page, values.email, values.password);
    await page.waitForURL('**/apps');
    for (const { name, path, prepare } of screens) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      await prepare?.(page);
      await shoot(name);
    }
    await context.close();
  }
}
await browser.close();
process.stdout.write(`Pictures of ${screens.length + 1} screens are in ${folder}\n`);

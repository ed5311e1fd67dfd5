import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { findBrowser } from '../e2e/find-browser.ts';
import { fillSignIn } from '../e2e/sign-in-form.ts';
import { demoScreens, openScreen, settle } from './demo-screens.ts';

const sizes = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    email: { type: 'string', default: 'super.demo@switchyard.local' },
    password: { type: 'string', default: 'Demo-Switchyard-1' },
    folder: { type: 'string', default: 'docs/screens' },
    /** Only the screens whose name begins so; several beginnings are separated by commas. */
    only: { type: 'string', default: '' },
    /** Only these themes and widths, e.g. `light-1440,dark-390`. */
    looks: { type: 'string', default: '' },
  },
});

mkdirSync(values.folder, { recursive: true });
const isWanted = (name: string): boolean => values.only.split(',').some((beginning) => name.startsWith(beginning));
const wanted = demoScreens.filter(({ name }) => isWanted(name));
const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
async function walk(theme: 'light' | 'dark'): Promise<void> {
  for (const viewport of sizes.filter(({ width }) => values.looks === '' || values.looks.split(',').includes(`${theme}-${width}`))) {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', baseURL: values.url });
    await context.addInitScript((chosen) => localStorage.setItem('switchyard_theme', chosen), theme);
    const page = await context.newPage();
    const shoot = (name: string) => page.screenshot({ path: `${values.folder}/${name}-${theme}-${viewport.width}.png` });
    await page.goto('/login');
    await settle(page);
    if (isWanted('login')) await shoot('login');
    await fillSignIn(page, values.email, values.password);
    await page.waitForURL('**/apps');
    for (const screen of wanted) {
      await openScreen(page, screen);
      await shoot(screen.name);
    }
    await context.close();
  }
}
await Promise.all([walk('light'), walk('dark')]);
await browser.close();
process.stdout.write(`Pictures of screens are in ${values.folder}\n`);

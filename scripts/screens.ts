import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { findBrowser } from '../e2e/find-browser.ts';
import { openScreen } from './demo-screens.ts';
import { chooseScreens, openLogin, openWindow, signIn } from './visit-console.ts';

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
const { hasLogin, screens } = chooseScreens(values.only);
const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
async function takePictures(theme: 'light' | 'dark'): Promise<void> {
  for (const viewport of sizes.filter(({ width }) => values.looks === '' || values.looks.split(',').includes(`${theme}-${width}`))) {
    const page = await openWindow(browser, { url: values.url, theme, viewport });
    const shoot = (name: string) => page.screenshot({ path: `${values.folder}/${name}-${theme}-${viewport.width}.png` });
    await openLogin(page);
    if (hasLogin) await shoot('login');
    await signIn(page, values);
    for (const screen of screens) {
      await openScreen(page, screen);
      await shoot(screen.name);
    }
    await page.context().close();
  }
}
await Promise.all([takePictures('light'), takePictures('dark')]);
await browser.close();
process.stdout.write(`Pictures of screens are in ${values.folder}\n`);

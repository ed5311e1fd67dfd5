import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openScreen } from '../console/demo-screens.ts';
import { chooseScreens, openLogin, openWindow, signIn, startBrowser } from '../console/visit-console.ts';

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
    folder: { type: 'string', default: 'screens' },
    /** Only the screens whose name begins so; several beginnings are separated by commas. */
    only: { type: 'string', default: '' },
    /** Only these themes and widths, e.g. `light-1440,dark-390`. */
    looks: { type: 'string', default: '' },
  },
});

mkdirSync(values.folder, { recursive: true });
const { hasLogin, screens } = chooseScreens(values.only);
async function takePictures(theme: 'light' | 'dark'): Promise<void> {
  const { browser, stop } = await startBrowser('chromium');
  for (const viewport of sizes.filter(({ width }) => values.looks === '' || values.looks.split(',').includes(`${theme}-${width}`))) {
    const page = await openWindow(browser, { theme, viewport });
    const shoot = (name: string) => page.screenshot({ path: `${values.folder}/${name}-${theme}-${viewport.width}.png` });
    await openLogin(page, values.url);
    if (hasLogin) await shoot('login');
    await signIn(page, values);
    for (const screen of screens) {
      await openScreen(page, screen);
      await shoot(screen.name);
    }
    await page.browserContext().close();
  }
  await stop();
}
await Promise.all([takePictures('light'), takePictures('dark')]);
process.stdout.write(`Pictures of screens are in ${values.folder}\n`);

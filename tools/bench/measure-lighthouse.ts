import { type BrowserContext, chromium } from '@playwright/test';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findBrowser } from '../console/find-browser.ts';
import { freePort } from '../console/free-port.ts';
import { readRunState } from '../console/run-state.ts';
import { leastMeasure, type Measure, shownMeasure } from './report.ts';
import { median } from './sample.ts';

const folder = join(import.meta.dirname, 'lighthouse');
const program = join(folder, 'node_modules/lighthouse/cli/index.js');
const rounds = 5;

/** Pages and their targets in points. A phone is a slow one on slow 4G, as Lighthouse simulates them. */
const pages = [
  { name: 'login_mobile', path: '/login', device: [], least: 90 },
  { name: 'apps_desktop', path: '/apps', device: ['--preset=desktop'], least: 95 },
  { name: 'requests_desktop', path: '/requests', device: ['--preset=desktop'], least: 95 },
] as const;

const audit = z.object({ numericValue: z.number() });
const reportSchema = z.object({
  categories: z.object({ performance: z.object({ score: z.number() }) }),
  audits: z.object({ 'first-contentful-paint': audit, 'largest-contentful-paint': audit, 'total-blocking-time': audit }),
});

type Report = z.infer<typeof reportSchema>;

/** Lighthouse's points for performance and what they are made of, medians of five visits with an empty cache. */
export async function measureLighthouse(): Promise<Measure[]> {
  if (!existsSync(program)) execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', folder], { stdio: 'ignore' });
  const profile = await mkdtemp(join(tmpdir(), 'switchyard-lighthouse-'));
  const port = await freePort();
  const args = [`--remote-debugging-port=${port}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const { url, sessions } = readRunState();
  // Lighthouse opens a tab of the profile, so the session must be there.
  const browser = await chromium.launchPersistentContext(profile, { executablePath: await findBrowser(), args });
  try {
    const measures: Measure[] = [];
    for (const { name, path, device, least } of pages) {
      const { super: session } = sessions;
      const visits: Report[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await prepare(browser, url, path === '/login' ? {} : { switchyard_token: session.token, switchyard_user: session.user });
        visits.push(await visit(`${url}${path}`, [`--port=${port}`, ...device]));
      }
      const figure = (of: (report: Report) => number): number => median(visits.map(of));
      measures.push(
        leastMeasure(
          `lighthouse_${name}`,
          figure(({ categories }) => categories.performance.score * 100),
          'points',
          least,
        ),
        shownMeasure(
          `${name}_first_paint`,
          figure(({ audits }) => audits['first-contentful-paint'].numericValue),
          'ms',
        ),
        shownMeasure(
          `${name}_largest_paint`,
          figure(({ audits }) => audits['largest-contentful-paint'].numericValue),
          'ms',
        ),
        shownMeasure(
          `${name}_blocking`,
          figure(({ audits }) => audits['total-blocking-time'].numericValue),
          'ms',
        ),
      );
    }
    return measures;
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
}

/** Empties the cache of a profile and stores what the console keeps in it, in place of what was there. */
async function prepare(browser: BrowserContext, url: string, stored: Readonly<Record<string, unknown>>): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${url}/licence.txt`);
  await page.evaluate((values) => {
    localStorage.clear();
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, JSON.stringify(value));
  }, stored);
  const devTools = await browser.newCDPSession(page);
  await devTools.send('Network.clearBrowserCache');
  await page.close();
}

async function visit(address: string, options: readonly string[]): Promise<Report> {
  const fixed = ['--output=json', '--quiet', '--only-categories=performance', '--disable-storage-reset', '--no-enable-error-reporting'];
  const { stdout } = await promisify(execFile)(process.execPath, [program, address, ...fixed, ...options], { maxBuffer: 2 ** 26 });
  return reportSchema.parse(JSON.parse(stdout));
}

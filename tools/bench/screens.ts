import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startConsole } from '../console/console-server.ts';
import { findBrowser } from '../console/find-browser.ts';
import { changeAnswer } from '../console/list-rows.ts';
import { fillSignIn } from '../console/sign-in-form.ts';
import { buildWebIfStale } from '../../packages/api/src/cli/build-web.ts';
import { printHead, printMeasure, shownMeasure } from './report.ts';
import { percentile } from './sample.ts';

/** How often each figure is taken; the median counts. */
const rounds = 7;
const appsCall = /\/api\/apps\?/;

/**
 * Notes when the first rows of a list were drawn (`rows`) and when the last long task ended (`idle`), in milliseconds
 * since the page was asked for.
 */
const watch = `
  window.figures = { rows: 0, idle: 0 };
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) figures.idle = Math.max(figures.idle, task.startTime + task.duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (document.querySelector('tr[data-index]') === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => { figures.rows = performance.now(); }));
  };
  look();
`;

/** Milliseconds until the page shows rows and obeys at once, and from the list's answer to its drawn rows. */
type Figures = { interactive: number; mount: number };

/** Waits until the page has rested for half a second after its rows were drawn. */
async function readFigures(page: Page): Promise<Figures> {
  return page.evaluate<Figures>(`(async () => {
    const isResting = () => figures.rows > 0 && performance.now() - Math.max(figures.rows, figures.idle) > 500;
    while (!isResting()) await new Promise((resolve) => setTimeout(resolve, 50));
    const answered = performance.getEntriesByType('resource').find((entry) => ${appsCall}.test(entry.name)).responseEnd;
    return { interactive: Math.max(figures.rows, figures.idle), mount: figures.rows - answered };
  })()`);
}

/** Opens the Apps list in a browser that has never seen the console, over loopback. */
async function openApps(browser: Browser, url: string, state: string, rows: number | null): Promise<Figures> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, storageState: state });
  const page = await context.newPage();
  await page.addInitScript(watch);
  if (rows !== null) {
    await changeAnswer(page, appsCall, (body) => {
      const { data } = body;
      body.data = Array.from({ length: rows }, (_, at) => ({ ...data[at % data.length], id: 100_000 - at }));
      Object.assign(body.pagination, { total: rows, count: rows, limit: rows });
    });
  }
  await page.goto('/apps');
  const figures = await readFigures(page);
  await context.close();
  return figures;
}

async function median(take: () => Promise<number>): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) durations.push(await take());
  return percentile(durations, 0.5);
}

/** Measures the built console with its demo in a headless browser and prints the figures. */
async function measure(browser: Browser, url: string, folder: string): Promise<void> {
  const state = join(folder, 'signed-in.json');
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await page.goto('/login');
  await fillSignIn(page, 'super.demo@switchyard.local', 'Demo-Switchyard-1');
  await page.waitForURL('**/apps');
  await context.storageState({ path: state });
  await context.close();
  console.log(`${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`);
  printHead();
  printMeasure(
    shownMeasure('apps_interactive_cold', await median(async () => (await openApps(browser, url, state, null)).interactive), 'ms'),
  );
  printMeasure(shownMeasure('mount_table_20_rows', await median(async () => (await openApps(browser, url, state, null)).mount), 'ms'));
  printMeasure(shownMeasure('mount_table_500_rows', await median(async () => (await openApps(browser, url, state, 500)).mount), 'ms'));
}

await buildWebIfStale();
const folder = await mkdtemp(join(tmpdir(), 'switchyard-screens-'));
const server = await startConsole({ NODE_ENV: 'production', SECRET_KEY: 'bench'.repeat(10), DATA_DIR: folder, DEMO: '1' });
try {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: await findBrowser(), args });
  await measure(browser, server.url, folder);
  await browser.close();
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

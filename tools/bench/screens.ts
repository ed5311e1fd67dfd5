import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { fromDate } from '@switchyard/contract/dates';
import { demoApps } from '@switchyard/demo/demo-apps';
import { findBrowser } from '../console/find-browser.ts';
import globalSetup from '../console/global-setup.ts';
import { handInRows } from '../console/hand-in.ts';
import { changeAnswer, listRows } from '../console/list-rows.ts';
import { readRunState } from '../console/run-state.ts';
import { measureLighthouse } from './measure-lighthouse.ts';
import { limitMeasure, type Measure, printHead, printMeasure, shownMeasure, writeJson } from './report.ts';
import { median, percentile } from './sample.ts';
import { wireRow } from './traffic-rows.ts';

/** How often each figure is taken; the median counts. */
const rounds = 7;
/** How many times slower than this machine the browser runs where a target says so. */
const slowdown = 4;
const appsCall = /\/api\/apps\?/;

/**
 * Notes when the first rows of a list were drawn (`rows`), when the last long task ended (`idle`) and when the pointer was
 * pressed (`pressed`), in milliseconds since the page was asked for, the durations of key events until their frame, and those
 * of slow frames.
 */
const watch = `
  window.figures = { rows: 0, idle: 0, pressed: 0, keys: [], frames: [] };
  const observe = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe('longtask', ({ startTime, duration }) => { figures.idle = Math.max(figures.idle, startTime + duration); });
  observe('event', ({ name, duration }) => { if (name === 'keydown') figures.keys.push(duration); }, { durationThreshold: 16 });
  observe('long-animation-frame', ({ duration }) => figures.frames.push(duration));
  window.awaitRows = (isNew) => new Promise((resolve) => {
    const look = () => {
      if (![...document.querySelectorAll('tr[data-index]')].some(isNew)) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  });
  document.addEventListener('click', ({ timeStamp }) => { figures.pressed = timeStamp; }, true);
  awaitRows(() => true).then((now) => { figures.rows = now; });
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

/** Runs a measurement on a page that has never seen the console and is signed in, over loopback. */
async function withPage<T>(browser: Browser, throttling: number, measure: (page: Page, devTools: CDPSession) => Promise<T>): Promise<T> {
  const { url, sessions } = readRunState();
  const { token, user } = sessions.super;
  const stored = Object.entries({ switchyard_token: token, switchyard_user: user }).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
  }));
  const storageState = { cookies: [], origins: [{ origin: url, localStorage: stored }] };
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, storageState });
  try {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await page.addInitScript(watch);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: throttling });
    return await measure(page, devTools);
  } finally {
    await context.close();
  }
}

/** Opens the Apps list. */
async function openApps(browser: Browser, { throttling = 1, rows = 0 } = {}): Promise<Figures> {
  return withPage(browser, throttling, async (page) => {
    if (rows > 0) {
      await changeAnswer(page, appsCall, (body) => {
        const { data } = body;
        body.data = Array.from({ length: rows }, (_, at) => ({ ...data[at % data.length], id: 100_000 - at }));
        Object.assign(body.pagination, { total: rows, count: rows, limit: rows });
      });
    }
    await page.goto('/apps');
    return readFigures(page);
  });
}

async function repeat(take: () => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) figures.push(await take());
  return median(figures);
}

async function measureLoading(browser: Browser): Promise<Measure[]> {
  const cold = await repeat(async () => (await openApps(browser)).interactive);
  const throttled = await repeat(async () => (await openApps(browser, { throttling: slowdown })).interactive);
  const small = await repeat(async () => (await openApps(browser)).mount);
  const large = await repeat(async () => (await openApps(browser, { rows: 500 })).mount);
  return [
    shownMeasure('apps_interactive_cold', cold, 'ms'),
    limitMeasure('apps_interactive_cold_throttled', throttled, 'ms', 2_000),
    shownMeasure('mount_table_20_rows', small, 'ms'),
    shownMeasure('mount_table_500_rows', large, 'ms'),
  ];
}

/** Milliseconds from the press of a link in the menu until the rows of its list are drawn. */
async function follow(page: Page, link: string): Promise<number> {
  const target = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link, exact: true });
  await target.hover();
  await page.evaluate(`
    const before = new Set(document.querySelectorAll('table'));
    window.shown = awaitRows((row) => !before.has(row.closest('table')));
    // A result that is a promise would be waited for.
    undefined;
  `);
  await target.click();
  return page.evaluate<number>('shown.then((now) => now - figures.pressed)');
}

async function measureLists(browser: Browser): Promise<Measure[]> {
  return withPage(browser, slowdown, async (page) => {
    await page.goto('/apps');
    await readFigures(page);
    const first = await follow(page, 'All Requests');
    const apps: number[] = [];
    const requests: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      apps.push(await follow(page, 'Apps'));
      requests.push(await follow(page, 'All Requests'));
    }
    return [
      shownMeasure('open_requests_with_code_throttled', first, 'ms'),
      limitMeasure('open_apps_throttled', median(apps), 'ms', 400),
      limitMeasure('open_requests_throttled', median(requests), 'ms', 400),
    ];
  });
}

/** Types into the search of lists; a key that is answered within 16 ms counts as that. */
async function measureKeys(browser: Browser): Promise<Measure[]> {
  const text = '203.0.113.9 and more than thirty keys';
  const measures: Measure[] = [];
  for (const [name, path] of [
    ['apps', '/apps'],
    ['requests', '/requests'],
  ] as const) {
    const keys = await withPage(browser, slowdown, async (page) => {
      await page.goto(path);
      await listRows(page).first().waitFor();
      const field = page.getByRole('searchbox', { name: 'Search' });
      await field.focus();
      await page.keyboard.type('warm', { delay: 150 });
      await page.evaluate('figures.keys.length = 0');
      await page.keyboard.type(text, { delay: 150 });
      return page.evaluate<number[]>('new Promise((resolve) => setTimeout(() => resolve(figures.keys), 500))');
    });
    const samples = [...keys, ...Array.from({ length: Math.max(0, text.length - keys.length) }, () => 16)];
    measures.push(limitMeasure(`keystroke_${name}_throttled_p95`, percentile(samples, 0.95), 'ms', 50));
  }
  return measures;
}

/** An event of an app of the demo, dated within this number of seconds before now. */
function listedEvent(within = 0) {
  const { bundle = '' } = demoApps[Math.floor(Math.random() * demoApps.length)] ?? {};
  return { ...wireRow(fromDate(new Date(Date.now() - Math.random() * within * 1_000))), bundle, stream_uid: null };
}

/** Opens all requests live, and hands in rows for as many seconds as it takes at a rate. */
async function followLive(page: Page): Promise<(count: number, perSecond: number) => Promise<void>> {
  const run = readRunState();
  await page.goto('/requests');
  await listRows(page).first().waitFor();
  await page.getByRole('button', { name: 'Live', exact: true }).click();
  await page.locator('button[data-state="live"]').waitFor();
  return async (count, perSecond) => {
    const batches = 4;
    const startedAt = Date.now();
    let sent = 0;
    while (sent < count) {
      const due = Math.min(count, Math.ceil(((Date.now() - startedAt) / 1_000) * perSecond) + Math.ceil(perSecond / batches));
      if (due > sent)
        await handInRows(
          run,
          'events',
          Array.from({ length: due - sent }, () => listedEvent()),
        );
      sent = due;
      // Paces the rows: a server hands them in by batches.
      await page.waitForTimeout(1_000 / batches);
    }
  };
}

/** A thousand rows in a minute: the longest frame, and how many took longer than 100 ms. */
async function measureLive(browser: Browser): Promise<Measure[]> {
  return withPage(browser, slowdown, async (page) => {
    const send = await followLive(page);
    await send(100, 17);
    await page.evaluate('figures.frames.length = 0');
    await send(1_000, 1_000 / 60);
    const frames = await page.evaluate<number[]>('figures.frames');
    const slow = frames.filter((duration) => duration > 100).length;
    return [
      limitMeasure('live_longest_frame_throttled', Math.max(0, ...frames), 'ms', 100),
      limitMeasure('live_frames_over_100_ms_throttled', slow, 'frames', 0),
    ];
  });
}

/** The most KiB by which a live list may grow for a thousand rows; an hour with a thousand a minute then takes 2 MiB. */
const growthLimit = 34;
/** Many times what a live list keeps, so that code that runs for the first time does not count as growth. */
const rowsBefore = 3_000;
const rowsPerSecond = 250;

/** How a live list grows with each thousand rows, after collecting garbage; four minutes have the rows of an hour. */
async function measureMemory(browser: Browser): Promise<Measure[]> {
  return withPage(browser, 1, async (page, devTools) => {
    const inUse = async () => {
      // Finalizers of the first collection release what the second one collects.
      for (let round = 0; round < 2; round += 1) await devTools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devTools.send('Runtime.getHeapUsage');
      const { nodes, jsEventListeners } = await devTools.send('Memory.getDOMCounters');
      return { heap: usedSize / 1_024, nodes, jsEventListeners };
    };
    const send = await followLive(page);
    await send(rowsBefore, rowsPerSecond);
    const before = await inUse();
    const thousands = (minutes * 60 * rowsPerSecond) / 1_000;
    await send(thousands * 1_000, rowsPerSecond);
    const after = await inUse();
    return [
      shownMeasure('live_heap_after_3000_rows', before.heap / 1_024, 'MiB'),
      limitMeasure('live_heap_growth_per_1000_rows', (after.heap - before.heap) / thousands, 'KiB', growthLimit),
      shownMeasure('live_growth_of_dom_nodes', after.nodes - before.nodes, 'nodes'),
      shownMeasure('live_growth_of_listeners', after.jsEventListeners - before.jsEventListeners, 'listeners'),
    ];
  });
}

const groups = {
  loading: measureLoading,
  lists: measureLists,
  keys: measureKeys,
  live: measureLive,
  memory: measureMemory,
  lighthouse: measureLighthouse,
} as const;

const { values } = parseArgs({
  options: { only: { type: 'string' }, json: { type: 'string' }, minutes: { type: 'string', default: '4' } },
});
/** How long a live list is measured for growth. */
const minutes = Number(values.minutes);
const selectedGroups = values.only?.split(',') ?? Object.keys(groups);
const takeDown = await globalSetup();
try {
  // Enough for the lists to be full, and for a chart of some hours.
  for (let batch = 0; batch < 10; batch += 1) {
    await handInRows(
      readRunState(),
      'events',
      Array.from({ length: 500 }, () => listedEvent(6 * 3_600)),
    );
  }
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: await findBrowser(), args });
  console.log(`${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`);
  printHead();
  const measures: Measure[] = [];
  for (const [name, measure] of Object.entries(groups)) {
    if (!selectedGroups.includes(name)) continue;
    for (const figure of await measure(browser)) {
      printMeasure(figure);
      measures.push(figure);
    }
  }
  if (values.json !== undefined) await writeJson(values.json, measures);
  await browser.close();
} finally {
  await takeDown();
}

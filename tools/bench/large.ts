import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { fromDate } from '@switchyard/contract/dates';
import { paths } from '../../packages/web/src/shared/paths.ts';
import { findBrowser } from '../console/find-browser.ts';
import globalSetup from '../console/global-setup.ts';
import { handInRows } from '../console/hand-in.ts';
import { withRunDatabase } from '../console/run-database.ts';
import { readRunState } from '../console/run-state.ts';
import { type LargeEntries, largeSizes, loadLargeCustomer } from './load-large.ts';
import { writeJson, limitMeasure, type Measure, shownMeasure } from './report.ts';
import { median } from './sample.ts';
import { wireRow } from './traffic-rows.ts';

const widths = [1440, 390] as const;
/** A page holds its rows when one of these is there. */
const rowsOf = { list: 'tr[data-index], ul[aria-label][aria-busy="false"] > li', form: 'main form input' } as const;
const searchField = 'main input[type="search"]';
const textField = 'main form input:not([type]), main form input[type="text"]';

type LargePage = {
  name: string;
  path: string;
  rows: string;
  /** Field that the keys go to; null where the page has none. */
  field: string | null;
};

const list = (name: string, path: string): LargePage => ({ name, path, rows: rowsOf.list, field: searchField });
const form = (name: string, path: string): LargePage => ({ name, path, rows: rowsOf.form, field: textField });
/** A tab of rows within a form. */
const tab = (name: string, path: string): LargePage => ({ name, path, rows: 'main table tbody tr', field: searchField });

/** Every page that holds many rows of a large customer. */
const pagesOf = ({ app, staff, buyer, role, rule }: LargeEntries): readonly LargePage[] => [
  { name: 'Home', path: paths.home(), rows: 'main h2', field: null },
  list('Apps', paths.apps()),
  list('Apps, 200 rows', '/apps?limit=200'),
  form('Create app', paths.appCreate()),
  form('Edit app, 1,000 servers', paths.appEdit(app, 'General')),
  list('Servers', paths.servers()),
  list('Servers, 200 rows', '/servers?limit=200'),
  list('Black IP', paths.blackIps()),
  list('Black IP, 200 rows', '/black-ip?limit=200'),
  list('Phone Requests', paths.requests()),
  list('Reports', '/reports?groupBy=app'),
  list('Users', paths.users()),
  list('Users, 200 rows', '/users?limit=200'),
  list('Buyers', paths.users('Buyers')),
  list('Buyers, 200 rows', '/users?startTabName=Buyers&limit=200'),
  form('Create user', paths.userCreate()),
  form('Create buyer', paths.buyerCreate()),
  form('Edit user', paths.userEdit(staff)),
  tab('Edit user, 5,000 apps', `${paths.userEdit(staff)}?startTabName=Apps`),
  form('Edit buyer', paths.buyerEdit(buyer)),
  tab('Edit buyer, 5,000 apps', `${paths.buyerEdit(buyer)}?startTabName=Apps`),
  { ...list('Roles', paths.roles()), field: 'main input' },
  { ...form('Edit role', paths.roleEdit('user', role)), rows: 'main input', field: 'main input:not([type=checkbox])' },
  { ...list('Who can', paths.whoCan({ permission: 'manager_app_edit' })), field: null },
  {
    ...list('Compare permissions', paths.comparePermissions({ one: `role-${role}`, other: `account-${staff}` })),
    rows: 'main section ul li',
    field: null,
  },
  list('Incidents', paths.incidents()),
  list('Incidents, 200 rows', '/incidents?limit=200'),
  { ...list('Rules', '/incidents?startTabName=Rules'), field: null },
  form('Edit rule, 4,700 apps', paths.alertRuleEdit(rule)),
  list('API tokens', paths.accountTokens()),
  { ...list('Activity', paths.activity()), field: null },
  { name: 'DevDoc', path: paths.devDoc(), rows: 'main textarea', field: 'main textarea' },
];

/** Notes when rows are first there, the longest task, and how long keys take until their frame. */
const watch = (rows: string) => `
  window.figures = { rows: 0, longest: 0, keys: [] };
  let shown;
  figures.shown = new Promise((resolve) => { shown = resolve; });
  const observe = (type, take, options) =>
    new PerformanceObserver((entries) => entries.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe('longtask', ({ duration }) => { figures.longest = Math.max(figures.longest, duration); });
  observe('event', ({ name, duration }) => { if (name === 'keydown') figures.keys.push(duration); }, { durationThreshold: 16 });
  const look = () => {
    if (document.querySelector(${JSON.stringify(rows)}) === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => { figures.rows = performance.now(); shown(); }));
  };
  look();
`;

const limits = { rows: 1_000, answers: 300, nodes: 4_000, task: 200, key: 50 } as const;
type Figures = { rows: number; answers: number; nodes: number; task: number; key: number; largest: string; repeated: string[] };

const keys = 'abcdef12';
const timeout = 20_000;

async function measurePage(browser: Browser, width: number, { path, rows, field }: LargePage): Promise<Figures> {
  const { url, sessions } = readRunState();
  const { token, user } = sessions.super;
  const localStorage = Object.entries({ switchyard_token: token, switchyard_user: user }).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
  }));
  const storageState = { cookies: [], origins: [{ origin: url, localStorage }] };
  const context = await browser.newContext({ baseURL: url, viewport: { width, height: 900 }, storageState });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch(rows));
    await page.goto(path);
    await page.evaluate(`Promise.race([figures.shown, new Promise((_, fail) => setTimeout(() => fail(Error('no rows')), ${timeout}))])`);
    await rest(page);
    const loaded = await page.evaluate<Omit<Figures, 'key'>>(`(() => {
      const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'));
      const addresses = answers.map(({ name }) => name.slice(name.indexOf('/api/') + 5));
      const largest = answers.toSorted((one, other) => other.decodedBodySize - one.decodedBodySize)[0];
      return {
        rows: figures.rows, task: figures.longest, nodes: document.querySelectorAll('*').length,
        answers: answers.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0) / 1000,
        largest: largest === undefined ? '' : largest.name.slice(largest.name.indexOf('/api/') + 5),
        repeated: addresses.filter((address, at) => addresses.indexOf(address) < at),
      };
    })()`);
    return { ...loaded, key: await measureKey(page, field) };
  } finally {
    await context.close();
  }
}

/** Waits until the network has rested; a live stream never ends. */
async function rest(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
}

/** The median time of a key; one answered within 16 ms counts as that. */
async function measureKey(page: Page, field: string | null): Promise<number> {
  if (field === null) return Number.NaN;
  const target = page.locator(field).filter({ visible: true }).first();
  if ((await target.count()) === 0) return Number.NaN;
  await target.focus();
  await page.evaluate('figures.keys.length = 0');
  await page.keyboard.type(keys, { delay: 120 });
  const slow = await page.evaluate<number[]>('new Promise((resolve) => setTimeout(() => resolve(figures.keys), 400))');
  return median([...slow, ...Array.from({ length: Math.max(0, keys.length - slow.length) }, () => 16)]);
}

const shown = (figures: Figures, kind: keyof typeof limits): string => {
  const value = figures[kind];
  if (Number.isNaN(value)) return '–';
  const text = Math.round(value).toLocaleString('en');
  return value > limits[kind] ? `**${text}**` : text;
};

const units = { rows: 'ms', answers: 'KB', nodes: 'nodes', task: 'ms', key: 'ms' } as const;
const kinds = ['rows', 'answers', 'nodes', 'task', 'key'] as const;

/** `npm run bench:large`: opens each page of a console with the rows of a large customer. `--only NAME,NAME`, `--json FILE`. */
async function run(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
  const state = readRunState();
  const startedAt = performance.now();
  const entries = await withRunDatabase(state.dataDir, loadLargeCustomer);
  for (let batch = 0; batch < 10; batch += 1) {
    const events = Array.from({ length: 1_000 }, (_, at) => ({
      ...wireRow(fromDate(new Date(Date.now() - (at + 1) * 30_000))),
      bundle: `com.large.app${1 + ((batch * 1_000 + at) % largeSizes.apps)}`,
      stream_uid: null,
    }));
    await handInRows(state, 'events', events);
  }
  console.log(`Loaded in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: await findBrowser(), args });
  console.log(`${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`);
  console.log('| Page | Width | Rows, ms | Answers, KB | Nodes | Longest task, ms | A key, ms | Largest answer | Asked twice |');
  console.log('|---|---|---|---|---|---|---|---|---|');
  const measures: Measure[] = [];
  const chosen = values.only?.split(',');
  for (const page of pagesOf(entries)) {
    if (chosen !== undefined && !chosen.some((name) => page.name.startsWith(name))) continue;
    for (const width of widths) {
      try {
        const figures = await measurePage(browser, width, page);
        const cells = kinds.map((kind) => shown(figures, kind));
        console.log(`| ${[page.name, width, ...cells, figures.largest, figures.repeated.join(' ')].join(' | ')} |`);
        for (const kind of kinds) {
          const value = figures[kind];
          if (!Number.isNaN(value)) measures.push(limitMeasure(`${page.name}, ${width} px: ${kind}`, value, units[kind], limits[kind]));
        }
      } catch (error) {
        // The others are measured anyway.
        console.log(`| ${page.name} | ${width} | failed: ${error instanceof Error ? error.message.split('\n')[0] : String(error)} |`);
        measures.push(shownMeasure(`${page.name}, ${width} px: failed`, 1, ''));
      }
    }
  }
  if (values.json !== undefined) await writeJson(values.json, measures);
  await browser.close();
}

const takeDown = await globalSetup();
try {
  await run();
} finally {
  await takeDown();
}

import type { Page } from 'puppeteer-core';
import { z } from 'zod';
import { paths } from '../../packages/web/src/shared/paths.ts';
import { clickControl, findControl, fillField, goTo, pathOf, waitForControl, waitUntilGone } from './page-controls.ts';

const open = (page: Page, name: RegExp) => clickControl(page, { role: 'button', name });
/** Opens the panel of a row; on a phone rows are cards, which are opened until one shows the button. */
async function openRow(page: Page, name: RegExp, role: 'button' | 'link' = 'button'): Promise<void> {
  await waitForControl(page, { role: 'button', name: /./ });
  while ((await findControl(page, { role, name })) === null && (await findControl(page, { role: 'button', name: /Show more/ })) !== null)
    await open(page, /Show more/);
  await clickControl(page, { role, name });
}
/** Puts a section of a long form at the top of the picture. */
async function show(page: Page, heading: string): Promise<void> {
  const element = await waitForControl(page, { role: 'heading', name: RegExp(`^${heading}$`) });
  await element.evaluate((one) => one.scrollIntoView({ block: 'start' }));
}
const listBody = z.object({ data: z.array(z.looseObject({ id: z.int() })) });
/** Finds the entry of a list in which a text occurs; the list is read in the name of the signed-in account. */
async function findEntry(page: Page, call: string, text: string): Promise<{ id: number }> {
  const answer = await page.evaluate(async (path) => {
    const { accessToken }: { accessToken: string } = JSON.parse(localStorage.getItem('switchyard_token') ?? '');
    const response = await fetch(`/api/${path}`, { headers: { authorization: `Bearer ${accessToken}` } });
    return response.json();
  }, call);
  const entry = listBody.parse(answer).data.find((one) => JSON.stringify(one).includes(text));
  if (entry === undefined) throw new Error(`${call} has no ${text}: the pictures show the demo`);
  return entry;
}
/** Goes to the page of an entry. */
async function openEntry(page: Page, call: string, text: string, address: (id: number) => string): Promise<void> {
  const entry = await findEntry(page, call, text);
  await goTo(page, address(entry.id));
  await settle(page);
  if ((await pathOf(page)) === '/login') throw new Error(`${address(entry.id)} is closed to this account`);
}
/** A demo app with much traffic and links, at one of its tabs. */
const app = (tab: string) => (page: Page) => openEntry(page, 'apps', 'goal-rush', (id) => `/apps/${id}/edit?startTabName=${tab}`);
const appHistory = (page: Page) => openEntry(page, 'apps', 'goal-rush', (id) => paths.appHistory(id));
const user = (tab: string) => (page: Page) => openEntry(page, 'users', 'restricted.demo', (id) => `/users/${id}/edit?startTabName=${tab}`);
const buyer = (page: Page) => openEntry(page, 'buyers', 'buyer.demo', (id) => `/users/buyers/${id}/edit?startTabName=Streams`);

/** A whole day of the demo's app service. */
async function openLogDay(page: Page): Promise<void> {
  await clickControl(page, { role: 'link', name: /^Show /, at: 1 });
  await waitForControl(page, { role: 'grid', name: /Log entries/ });
}

/** A screen of the demo: its address, and the steps before it is captured. */
export type DemoScreen = { name: string; path?: string; prepare?: (page: Page) => Promise<void> };

/** Screens with what one does there, and those whose address has a parameter. */
const describedScreens: readonly DemoScreen[] = [
  { name: 'apps', path: '/apps' },
  { name: 'app-create', path: '/apps/create' },
  { name: 'app-general', prepare: app('General') },
  ...(
    [
      ['app-servers', 'Servers'],
      ['app-push-file', 'Push configuration'],
      ['app-users', 'App users'],
    ] as const
  ).map(([name, heading]) => ({
    name,
    prepare: async (page: Page) => {
      await app('General')(page);
      await show(page, heading);
    },
  })),
  {
    name: 'app-duplicate',
    prepare: async (page) => {
      await app('General')(page);
      await open(page, /^Duplicate$/);
    },
  },
  { name: 'app-history', prepare: appHistory },
  {
    name: 'app-history-panel',
    prepare: async (page) => {
      await appHistory(page);
      await openRow(page, /^Show revision/);
    },
  },
  {
    name: 'app-restore',
    prepare: async (page) => {
      await appHistory(page);
      await openRow(page, /^Show revision/);
      await open(page, /^Restore/);
    },
  },
  { name: 'app-event', prepare: app('Event') },
  {
    name: 'app-event-panel',
    prepare: async (page) => {
      await app('Event')(page);
      await openRow(page, /^Show request/);
    },
  },
  { name: 'app-push', prepare: app('Push') },
  { name: 'app-conversion', prepare: app('Conversion') },
  { name: 'requests', path: '/requests' },
  { name: 'request-panel', path: '/requests', prepare: (page) => openRow(page, /^Show request/) },
  { name: 'requests-live', path: '/requests', prepare: (page) => open(page, /Live/) },
  {
    name: 'requests-filtered',
    path: '/requests',
    prepare: async (page) => {
      const { id } = await findEntry(page, 'apps/list', 'golden-compass');
      await goTo(page, `/requests?appId=${id}&geo=GB&type=receive`);
    },
  },
  { name: 'reports', path: '/reports?compare=previous' },
  { name: 'reports-bars', path: '/reports?groupBy=app&days=30&compare=previous&chart=payout' },
  { name: 'reports-stacked', path: '/reports?groupBy=vertical&groupBy=type&measure=requests&measure=requests_success' },
  { name: 'reports-lines', path: '/reports?groupBy=day&groupBy=type&days=30' },
  { name: 'reports-measure', path: '/reports?measure=requests_success&geo=GB&vertical=fantasy' },
  { name: 'reports-held', path: '/reports?groupBy=server' },
  { name: 'roles', path: '/roles' },
  { name: 'role-edit', path: '/roles/user/3/edit' },
  {
    name: 'role-preview',
    path: '/roles/user/3/edit',
    prepare: async (page) => {
      await page.locator('input[aria-label="manager_dev_logs"]').click();
      await open(page, /Show who/);
    },
  },
  { name: 'role-history', path: '/roles/3/history' },
  { name: 'role-duplicate', path: '/roles/create-user?copy=3' },
  { name: 'role-compare', path: '/roles/compare?one=role-3&other=role-4' },
  { name: 'who-can', path: '/who-can?permission=manager_app_edit' },
  { name: 'service-accounts', path: '/service-accounts' },
  { name: 'service-account-create', path: '/service-accounts', prepare: (page) => open(page, /Create service account/) },
  { name: 'api-tokens', path: '/tokens' },
  { name: 'users', path: '/users' },
  { name: 'user-create', path: '/users/add' },
  { name: 'user-settings', prepare: user('Settings') },
  {
    name: 'user-tokens',
    prepare: async (page) => {
      await user('Settings')(page);
      await show(page, 'API tokens');
    },
  },
  { name: 'user-apps', prepare: user('Apps') },
  { name: 'buyers', path: '/users?startTabName=Buyers' },
  { name: 'buyer-streams', prepare: buyer },
  { name: 'activity', path: '/activity' },
  {
    name: 'activity-panel',
    path: '/activity?entity=app&action=update',
    prepare: (page) => openRow(page, /^Show activity/),
  },
  { name: 'servers', path: '/servers' },
  { name: 'server-remove', path: '/servers', prepare: (page) => openRow(page, /^Remove edge/) },
  {
    name: 'server-edit',
    path: '/servers',
    prepare: async (page) => {
      await openRow(page, /^Edit edge/, 'link');
      await open(page, /Generate token/);
    },
  },
  { name: 'asns', path: '/asns?search=cloud' },
  { name: 'black-ip', path: '/black-ip' },
  { name: 'black-ip-add', path: '/black-ip', prepare: (page) => open(page, /Add IPs/) },
  { name: 'black-ip-import', path: '/black-ip', prepare: (page) => open(page, /^Import$/) },
  {
    name: 'about',
    path: '/',
    prepare: async (page) => {
      await open(page, /^Account of/);
      await open(page, /^About /);
    },
  },
  { name: 'logs', path: '/logs' },
  { name: 'app-logs', path: '/app-logs' },
  { name: 'app-log-search', path: '/app-logs?view=search&query=failed%7Crefused&regex=1' },
  { name: 'log-day', path: '/app-logs', prepare: openLogDay },
  {
    name: 'log-entry',
    path: '/app-logs',
    prepare: async (page) => {
      await openLogDay(page);
      await clickControl(page, { role: 'button', name: /Error/, within: { role: 'table', name: /Entries by level/ } });
      for (const part of [/Context/, /Stack/]) await open(page, part);
    },
  },
  {
    name: 'dev-doc',
    path: '/dev-doc',
    prepare: async (page) => {
      await fillField(page, /^JSON$/, '{\n  "gaid": "7c1e",\n  "list": [1, 2.5, true],\n}');
      await open(page, /Encode/);
      await clickControl(page, { role: 'combobox', name: /^App domain$/ });
      await clickControl(page, { role: 'option', name: /goal-rush/ });
      await open(page, /Send/);
      await waitForControl(page, { role: 'region', name: /Decoded/ });
    },
  },
  { name: 'dev-doc-guide', path: '/dev-doc', prepare: (page) => show(page, 'Mobile docs') },
  { name: 'home', path: '/' },
  { name: 'account', path: '/account' },
  { name: 'account-token', path: '/account', prepare: (page) => open(page, /Create API token/) },
  { name: 'sessions', path: '/sessions' },
  { name: 'not-found', path: '/nowhere' },
];

/** Waits until the page loads nothing more, at most so long: a live stream never ends. */
const rest = (page: Page, idleTime: number): Promise<void> => page.waitForNetworkIdle({ idleTime, timeout: 5000 }).catch(() => undefined);

/** Pages for guests, which redirect signed-in accounts. */
const guestPages = new Set([paths.login(), paths.googleCallback(), paths.invitation(), paths.forgotPassword(), paths.resetPassword()]);
const describedPaths = new Set(describedScreens.map(({ path }) => path?.split('?')[0]));

/** Every screen of the console behind the login page: those above, and each further page whose address needs no parameter. */
export const demoScreens: readonly DemoScreen[] = [
  ...describedScreens,
  ...Object.values(paths)
    .map((address) => (takesNothing(address) ? address() : ''))
    .filter((path) => path !== '' && !guestPages.has(path) && !describedPaths.has(path.split('?')[0]))
    .map((path) => ({ name: path.slice(1).replaceAll('/', '-'), path })),
];

function takesNothing(address: (typeof paths)[keyof typeof paths]): address is () => string {
  return address.length === 0;
}

/** Opens a screen, does what belongs to it and waits until all of it is there; false when the account was led elsewhere. */
export async function openScreen(page: Page, { path, prepare }: DemoScreen): Promise<boolean> {
  if (path !== undefined) await goTo(page, path);
  await settle(page);
  if (path !== undefined && (await pathOf(page)) !== path.split('?')[0]) return false;
  await prepare?.(page);
  await settle(page);
  return (await pathOf(page)) !== '/login';
}

/** Placeholders on a screen while its code or data loads: lists, pages and tabs, forms. */
const onItsWay = '[aria-busy="true"], output[aria-label="Loading"], .mantine-Skeleton-root[data-visible]';

/** Waits until a screen is there: what a click loads comes after the page was idle once, for `idleTime` milliseconds. */
export async function settle(page: Page, { idleTime = 500 } = {}): Promise<void> {
  await rest(page, idleTime);
  await waitUntilGone(page, onItsWay);
}

import type { Locator } from '@playwright/test';
import { changeAnswer, columnTexts, headers, listRows, rowOf, type ListAnswer } from '../console/list-rows.ts';
import { expect, test } from './console-test.ts';
import { expectTooltip } from './expect-tooltip.ts';
import { handIn } from '../console/hand-in.ts';
import { withinOneDay } from './past-days.ts';
import { stopClock } from './stop-clock.ts';

const appsCall = /\/api\/apps\?/;

/** The first app of the answer, for a test to change. */
function firstApp(body: ListAnswer): Record<string, unknown> {
  const app = body.data[0];
  if (app === undefined) throw new Error('The answer has no app');
  return app;
}

const day = 86_400_000;
const wire = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
const link = {
  id: 1,
  server_id: 1,
  server_name: 'edge-fra-1',
  is_bind: true,
  registrar: null,
  is_only_cf: false,
  status: 'ok',
  error: null,
  next_stage_at: null,
};

test('[APPS-022] [APPS-023] [APPS-024] [APPS-026] [APPS-028] [APPS-029] [APPS-033] [AMB-076] [AMB-083] figures are those of the traffic, and the TOTAL row sums all apps that match', async ({
  page,
  run,
}) => {
  test.slow();
  await withinOneDay();
  // Wide enough for all columns, so that they keep their order while the sums come.
  await page.setViewportSize({ width: 1920, height: 900 });
  const bundle = 'com.fundfalcon.app';
  const url = `/apps?search=${bundle}&status=deleted&isCache=0`;
  await page.goto(url);
  await expect(listRows(page)).toHaveCount(1);
  const pair = async (name: string): Promise<number[]> =>
    ((await columnTexts(page, name))[0] ?? '').split('|').map((figure) => Number(figure.replaceAll(/\D/g, '')));
  const names = ['T_C', 'T_R', 'QA_C', 'Bots', 'All_C', 'All_R'];
  const before = await Promise.all(names.map(pair));
  await handIn(run, [
    { bundle, type: 'create' },
    { bundle, type: 'create', bot: 'BOT' },
    { bundle, type: 'create', is_qa: true },
    { bundle, type: 'receive' },
  ]);
  await page.getByRole('button', { name: 'Apply filter' }).click();
  const gainedCounts = async () =>
    Promise.all(names.map(async (name, at) => [name, ...(await pair(name)).map((figure, side) => figure - (before[at]?.[side] ?? 0))]));
  await expect.poll(gainedCounts).toEqual([
    ['T_C', 3, 2],
    ['T_R', 1, 1],
    ['QA_C', 1, 1],
    ['Bots', 1, 1],
    ['All_C', 3, 2],
    ['All_R', 1, 1],
  ]);
  const shownHeaders = await headers(page);
  const figuresOf = async (row: Locator): Promise<string[]> => {
    const [_box, ...cells] = await row.locator('td').allInnerTexts();
    return names.map((name) => `${name} ${cells[shownHeaders.indexOf(name)]}`);
  };
  // The sums are asked for beside the list and may come after it.
  await expect.poll(() => figuresOf(page.getByRole('row', { name: /^TOTAL/ }))).toEqual(await figuresOf(listRows(page)));
  await expectTooltip(
    listRows(page)
      .locator('td')
      .nth(1 + shownHeaders.indexOf('All_C'))
      .getByText('|'),
    /in all, .+ successful \(\d/,
  );
});

test('[APPS-016] [CONST-013] [CONST-014] [CONST-015] [WID-039] [CONST-016] [AMB-048] long names are cut; the whole one shows for three seconds', async ({
  page,
}) => {
  const name = 'Golden Compass Fantasy League Manager';
  await page.clock.install();
  await page.goto('/apps?search=com.goldencompassfantasy.app');
  const cutName = page.getByText(`${name.slice(0, 28)}...`);
  await expect(cutName).toBeVisible();
  // The three seconds are the page's own, however long the machine takes to check.
  await stopClock(page);
  await cutName.hover();
  await expect(page.getByRole('tooltip')).toHaveText(name);
  await page.clock.fastForward(1_500);
  await expect(page.getByRole('tooltip')).toBeVisible();
  await page.clock.fastForward(1_600);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
});

test('[APPS-018] the bundle has a bot icon with name and state where a monitor watches', async ({ page }) => {
  // Each by a search: other tests add apps, and the demo's are the oldest.
  await page.goto('/apps?search=com.derbynight.app');
  const watchedRow = rowOf(page, 'com.derbynight.app');
  await expectTooltip(watchedRow.locator('[data-status]'), /^.+: warn/);
  await page.goto('/apps?search=com.rubyreels.app');
  await expect(rowOf(page, 'com.rubyreels.app')).toBeVisible();
  await expect(rowOf(page, 'com.rubyreels.app').locator('[data-status]')).toHaveCount(0);
});

test('[APPS-020] [APPS-048] [APPS-049] [APPS-050] [APPS-051] [APPS-052] [APPS-053] [APPS-054] [APPS-055] [AMB-052] [AMB-053] domain, certificate and binding have the colour of their state', async ({
  page,
}) => {
  const now = Date.now();
  await changeAnswer(page, appsCall, (body) => {
    const app = firstApp(body);
    app['expiration_at'] = wire(now + 6 * day);
    app['check_domains'] = [
      { ...link, id: 1, ssl_at: null, is_bind: false, status: 'add' },
      { ...link, id: 2, ssl_at: wire(now + 13 * day), is_bind: false, status: 'err_bind', error: 'DNS answers elsewhere' },
      { ...link, id: 3, ssl_at: wire(now + 15 * day) },
    ];
    Object.assign(body.data[1] ?? {}, { expiration_at: null });
    Object.assign(body.data[2] ?? {}, { expiration_at: wire(now - day) });
    Object.assign(body.data[3] ?? {}, { expiration_at: wire(now + 8 * day) });
  });
  await page.goto('/apps');
  const row = listRows(page).first();
  const tones = (icon: string) =>
    row.locator(`[data-icon="${icon}"]`).evaluateAll((icons) => icons.map((element) => element.dataset['tone']));
  await expect(row.locator('[data-icon]')).toHaveCount(6);
  await expect.poll(() => tones('ssl')).toEqual(['danger', 'warning', 'success']);
  await expect.poll(() => tones('bind')).toEqual(['info', 'danger', 'success']);
  await expectTooltip(row.locator('[data-icon="bind"]').nth(1), 'edge-fra-1: domain not bound (DNS answers elsewhere)');
  const domains = listRows(page).locator('td:nth-child(5) [data-tone]:not([data-icon])');
  const shownTones = await domains.evaluateAll((elements) => elements.map((domain) => domain.dataset['tone']));
  expect(shownTones.slice(0, 4)).toEqual(['warning', 'danger', 'danger', 'success']);
});

test('[APPS-021] [WID-068] [WID-069] [AMB-086] each vertical has its icon, an unknown one a question mark', async ({ page }) => {
  await changeAnswer(page, appsCall, (body) => {
    firstApp(body)['vertical'] = 'bet,casino,social_casino,fantasy,finance,chess';
  });
  await page.goto('/apps');
  const icons = listRows(page).first().locator('[data-vertical]');
  await expect(icons).toHaveCount(6);
  const kinds = await icons.evaluateAll((elements) => elements.map((icon) => icon.dataset['vertical']));
  expect(kinds).toEqual(['bet', 'casino', 'social_casino', 'fantasy', 'finance', 'unknown']);
  const pictures = await icons.locator('svg').evaluateAll((elements) => elements.map((picture) => picture.innerHTML));
  expect(new Set(pictures).size).toBe(6);
});

import type { Page } from '@playwright/test';
import { columnTexts, listRows } from '../console/list-rows.ts';
import { expect, test } from './console-test.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import type { RunState } from '../console/run-state.ts';
import { stopClock } from './stop-clock.ts';
import { requestPanel, showButton } from './request-panel.ts';

test.describe('side panel', () => {
  const bodies = [
    {
      type: 'create',
      ip: '203.0.113.1',
      user_agent: 'Mozilla/5.0 (Test)',
      body_request: { one: { two: { three: { four: { five: 'deep' } } } } },
      body_response: { url: 'https://offer.example/x' },
      additional_data: '{"retries":2}',
    },
    { type: 'receive', ip: '203.0.113.2', body_request: { a: 1 }, error: { exception_type: 'Notice', message: 'Undefined index: sub1' } },
    { type: 'track', ip: '203.0.113.1', body_request: { b: 2 }, error: 'Boom' },
    { type: 'proxy', ip: '203.0.113.3', body_request: { c: 3 }, error: 'Boom' },
    { type: 'token', ip: '203.0.113.4' },
  ];

  /** All Requests with a search that finds these, new ones, alone; the query starts with an ampersand. */
  async function openBodies(page: Page, run: RunState, query = ''): Promise<void> {
    const client = ownClient();
    await handIn(
      run,
      bodies.map((body) => ({ ...body, client_uid: client })),
    );
    await page.goto(`/requests?search=${client}${query}`);
  }

  test('[REQ-020, REQ-021] the show button is shown only if there is a body, in the colour of the outcome', async ({ page, run }) => {
    await openBodies(page, run);
    await expect(listRows(page)).toHaveCount(5);
    const tones = ['success', 'warning', 'danger', 'default'];
    for (const [at, tone] of tones.entries()) {
      await expect(showButton(page, at)).toHaveAttribute('data-tone', tone);
    }
    await expect(showButton(page, 4)).toHaveCount(0);
  });

  test('[REQ-022, CONST-045, AMB-136, AMB-144] the panel shows every part, collapsed from depth four, and can be searched', async ({
    page,
    run,
  }) => {
    await openBodies(page, run);
    await showButton(page).click();
    const panel = requestPanel(page);
    await expect(panel.getByRole('heading', { level: 3 })).toHaveText([
      'User agent',
      'Request body',
      'Response body',
      'Error',
      'Additional data',
    ]);
    await expect(panel.getByRole('region', { name: 'User agent' })).toContainText('Mozilla/5.0 (Test)');
    await expect(panel.getByRole('region', { name: 'Additional data' })).toContainText('retries:2');
    await expect(panel.getByRole('region', { name: 'Error' })).toContainText('None');
    const body = panel.getByRole('region', { name: 'Request body' });
    await expect(body).toContainText('four:');
    await expect(body).not.toContainText('deep');
    await panel.getByLabel('Find in this request').fill('DEEP');
    await expect(body).toContainText('1 match');
    await expect(body).toContainText('five:"deep"');
    await expect(panel.getByRole('region', { name: 'Response body' })).toContainText('No match');
  });

  test('[REQ-022, REQ-023, AMB-129] rows with the opened IP are marked; Escape and the cross close', async ({ page, run }) => {
    await openBodies(page, run);
    await expect(listRows(page)).toHaveCount(5);
    await expect(page.locator('tr[data-tone="accent"]')).toHaveCount(0);
    await showButton(page).click();
    const panel = requestPanel(page);
    await expect(panel).toBeVisible();
    await expect(page.locator('tr[data-tone="accent"]')).toHaveCount(2);
    await expect(listRows(page).nth(2)).toHaveAttribute('data-tone', 'accent');
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(page.locator('tr[data-tone="accent"]')).toHaveCount(0);
    await showButton(page, 1).click();
    await panel.getByRole('button', { name: 'Close panel' }).click();
    await expect(panel).toBeHidden();
  });

  test('Up and Down move through the rows from the list and from the panel', async ({ page, run }) => {
    await openBodies(page, run);
    await listRows(page).first().focus();
    await page.keyboard.press('Enter');
    const ids = (await columnTexts(page, '#')).map((id) => id.trim());
    const title = page.getByRole('complementary').getByRole('heading', { level: 2 });
    await expect(title).toHaveText(`Request ${ids[0] ?? ''}`);
    await page.keyboard.press('ArrowDown');
    await expect(title).toHaveText(`Request ${ids[1] ?? ''}`);
    await page.getByRole('button', { name: 'Request below' }).click();
    await expect(title).toHaveText(`Request ${ids[2] ?? ''}`);
    await page.keyboard.press('ArrowUp');
    await expect(title).toHaveText(`Request ${ids[1] ?? ''}`);
    await expect(listRows(page).nth(1)).toHaveAttribute('aria-selected', 'true');
  });

  test('the panel is 480 px wide, can be drawn and moved by keys, and keeps its width on this device', async ({ page, run }) => {
    const client = ownClient();
    await handIn(run, [{ type: 'create', client_uid: client, body_request: { a: 1 } }]);
    await page.goto(`/requests?search=${client}`);
    const show = listRows(page).getByRole('button', { name: /^Show request/ });
    await show.click();
    const panel = requestPanel(page);
    const width = async () => Math.round((await panel.boundingBox())?.width ?? 0);
    await expect.poll(() => width()).toBe(480);
    const edge = await panel.getByLabel('Width of the panel').boundingBox();
    if (edge === null) throw new Error('The panel has no edge');
    await page.mouse.move(edge.x + edge.width / 2, edge.y + 40);
    await page.mouse.down();
    await page.mouse.move(edge.x - 86, edge.y + 60, { steps: 3 });
    await page.mouse.up();
    await expect.poll(width).toBeGreaterThan(560);
    const range = panel.getByLabel('Width of the panel');
    await range.press('Home');
    await expect.poll(width).toBe(320);
    await range.press('ArrowRight');
    await expect.poll(width).toBe(352);
    await page.reload();
    await show.click();
    await expect.poll(() => width()).toBe(352);
    await panel.getByRole('button', { name: 'Close panel' }).click();
    await expect(listRows(page)).toBeFocused();
  });

  test('[WID-037, CONST-017, AMB-137] a request is copied as JSON, and the icon says so for a moment', async ({ page, run, context }) => {
    const client = ownClient();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await handIn(run, [{ type: 'create', client_uid: client, body_request: { gaid: '7c1e' } }]);
    await page.clock.install();
    await page.goto(`/requests?search=${client}`);
    const copy = listRows(page).getByRole('button', { name: /^(Copy request|Copied)/ });
    await expect(copy).toBeVisible();
    // The moment is shorter than a busy machine may take to check.
    await stopClock(page);
    await copy.click();
    await expect(copy).toHaveAttribute('data-copied', 'true');
    const copiedRow: { client_uid: string; body_request: unknown } = JSON.parse(
      await page.evaluate<string>('navigator.clipboard.readText()'),
    );
    expect([copiedRow.client_uid, copiedRow.body_request]).toEqual([client, { gaid: '7c1e' }]);
    await page.clock.fastForward(310);
    await expect(copy).not.toHaveAttribute('data-copied');
  });
});

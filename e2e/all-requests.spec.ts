import { columnTexts, headers, listRows, recordQueries, rowOf } from './list-rows.ts';
import { expect, stored, test } from './console-test.ts';
import { expectTooltip } from './expect-tooltip.ts';
import { handIn, ownClient } from './hand-in.ts';
import { daysAgo, writtenDay } from './past-days.ts';

const call = '/api/all-requests';

test('[REQ-002, REQ-012, REQ-013, REQ-014, REQ-015, REQ-016, REQ-017, REQ-018, REQ-019] title and columns', async ({ page, run }) => {
  const client = ownClient();
  const date = daysAgo(2, '22:30');
  await handIn(run, [
    {
      type: 'create',
      client_uid: client,
      ip: '203.0.113.77',
      country: 'DE',
      bot: 'CF HLL',
      body_request: { gaid: '7c1e' },
      date,
    },
    { type: 'receive', client_uid: client, bot: 'NEW L1 ORG', date: daysAgo(3, '22:29') },
  ]);
  await page.goto(`/requests?search=${client}`);
  await expect(page).toHaveTitle('Phone Requests | Switchyard');
  await expect(page.getByRole('heading', { name: 'Phone Requests', level: 1 })).toBeVisible();
  await expect(listRows(page)).toHaveCount(2);
  expect((await headers(page)).map((text) => text.trim())).toEqual(['#', 'App', 'Stream', 'IP', 'Bot', 'Date', 'Req_Type', 'JSON Body']);
  const row = listRows(page).first();
  await expect(row).toContainText('com.luckyharbor.app');
  await expect(row.getByRole('img', { name: 'Germany' })).toBeVisible();
  await expect(row).toContainText('203.0.113.77');
  // The server shows dates two hours ahead of UTC.
  await expect(row).toContainText(`${writtenDay(date)} 00:30:00`);
  await expect(row.getByText('create', { exact: true })).toBeVisible();
  for (const [tag, tone, meaning] of [
    ['CF', 'success', 'CDN pass'],
    ['HLL', 'danger', 'Blocked by machine learning'],
    ['NEW', 'default', 'Неизвестно'],
    ['+2', null, 'L1: Hosting, datacenter, proxy or VPN; ORG: Organisation on the blacklist'],
  ] as const) {
    const label = listRows(page).getByText(tag, { exact: true });
    if (tone !== null) await expect(label).toHaveAttribute('data-tone', tone);
    await expectTooltip(label, meaning);
  }
});

test('[REQ-015, WID-070, WID-071] unknown countries are N/A with a globe, Russia an unavailable page', async ({ page, run }) => {
  const client = ownClient();
  await handIn(run, [
    { type: 'create', client_uid: client, ip: '100.64.0.9' },
    { type: 'receive', client_uid: client, ip: '203.0.113.5', country: 'RU' },
  ]);
  await page.goto(`/requests?search=${client}&orderBy=type&orderDirection=asc`);
  await expect(listRows(page).nth(0)).toContainText('N/A');
  await expect(listRows(page).nth(0).locator('[data-flag="globe"]')).toBeVisible();
  await expect(listRows(page).nth(1)).toContainText('RU');
  await expect(listRows(page).nth(1).locator('[data-flag="unavailable"]')).toBeVisible();
});

test.describe('filters', () => {
  test('[REQ-003, REQ-004, REQ-005, REQ-006, REQ-007, REQ-008, REQ-009, AMB-134, AMB-132] filters travel once they are applied', async ({
    page,
  }) => {
    const asked = recordQueries(page, call);
    await page.goto('/requests');
    await expect.poll(() => asked.length).toBe(1);

    await page.getByRole('combobox', { name: 'Type' }).click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText([
      'create',
      'receive',
      'token',
      'track',
      'proxy',
      'static',
      'error',
    ]);
    await page.getByRole('option', { name: 'create' }).click();
    await page.getByRole('option', { name: 'error' }).click();
    await page.keyboard.press('Escape');

    await page.getByRole('combobox', { name: 'Geo' }).click();
    await page.getByLabel('Find in geo').fill('nowhere');
    await expect(page.getByText('Sorry, no matching options.')).toBeVisible();
    await page.getByLabel('Find in geo').fill('germ');
    await page.getByRole('option', { name: 'Germany' }).click();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Start day' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^10 / }).first().click();
    await page.getByRole('button', { name: 'End day' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^12 / }).first().click();
    await page.getByRole('switch', { name: 'Empty App' }).click();
    expect(asked).toHaveLength(1);

    await page.getByLabel('Search').fill('203.0.113.');
    await page.getByLabel('Search').press('Enter');
    await expect.poll(() => asked.length).toBe(2);
    const sent = asked[1];
    expect(sent?.getAll('type[]')).toEqual(['create', 'error']);
    expect(sent?.getAll('geo[]')).toEqual(['DE']);
    expect(sent?.get('startDate')).toMatch(/^\d{4}-\d{2}-10$/);
    expect(sent?.get('endDate')).toMatch(/^\d{4}-\d{2}-12$/);
    expect(sent?.get('emptyPostbacksDomain')).toBe('1');
    expect(sent?.get('search')).toBe('203.0.113.');
    await expect(page.getByRole('list', { name: 'Active filters' }).getByRole('button', { name: /^Remove filter/ })).toHaveCount(7);
  });

  test('[REQ-005, WID-049] the country list holds every country by its English name with its flag', async ({ page }) => {
    await page.goto('/requests');
    await page.getByRole('combobox', { name: 'Geo' }).click();
    await expect(page.getByRole('listbox').getByRole('option').first()).toHaveAttribute('aria-setsize', '249');
    await expect(page.getByRole('listbox').getByRole('option').first()).toHaveText('Afghanistan');
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('option', { name: 'Zimbabwe' })).toBeVisible();
    await expect(page.getByRole('option', { name: 'Zimbabwe' }).locator('img')).toHaveAttribute('src', /ZW/);
  });

  test('[REQ-004, REQ-034] type filters choose rows', async ({ page, run }) => {
    const client = ownClient();
    const types = ['create', 'receive', 'token', 'track', 'proxy', 'static', 'error'];
    await handIn(
      run,
      types.map((type) => ({ type, client_uid: client })),
    );
    await page.goto(`/requests?search=${client}&type=proxy&type=static`);
    await expect(listRows(page)).toHaveCount(2);
    expect((await columnTexts(page, 'Req_Type')).toSorted()).toEqual(['proxy', 'static']);
    await page.getByRole('button', { name: 'Remove filter proxy' }).click();
    await expect(listRows(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Remove filter static' }).click();
    await expect(listRows(page)).toHaveCount(7);
  });

  test('[WID-043, WID-046, WID-047, WID-048, CONST-019] the day picker starts on Monday, shows 42 days and can be cleared', async ({
    page,
  }) => {
    await page.goto('/requests?startDate=2026-02-10');
    const picker = page.getByRole('button', { name: 'Start day', exact: true });
    await expect(picker).toHaveText('2026-02-10');
    await expect(page.getByRole('button', { name: 'End day', exact: true })).toHaveText('Select day');
    await picker.click();
    const calendar = page.getByRole('dialog');
    await expect(calendar.locator('thead th').first()).toHaveText('Mo');
    await expect(calendar.locator('tbody td')).toHaveCount(42);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear start day' }).click();
    await expect(picker).toHaveText('Select day');
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect(page).toHaveURL(/\/requests$/);
  });

  test('[REQ-010] the download waits for a search, and says so', async ({ page }) => {
    await page.goto('/requests');
    await expect(page.getByRole('button', { name: 'Download' })).toBeDisabled();
    await expectTooltip(page.getByRole('button', { name: 'Download' }), 'Enter a search to download its requests', { force: true });
  });

  test('[REQ-011] refresh reads the same rows again', async ({ page, run }) => {
    const client = ownClient();
    await handIn(run, [{ type: 'create', client_uid: client }]);
    await page.goto(`/requests?search=${client}`);
    await expect(listRows(page)).toHaveCount(1);
    await handIn(run, [{ type: 'receive', client_uid: client }]);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(listRows(page)).toHaveCount(2);
  });

  test('[REQ-032, AMB-128] a start date kept on this device is applied at once, shown as a chip, and forgotten with it', async ({
    page,
  }) => {
    const asked = recordQueries(page, call);
    await page.goto('/');
    await page.evaluate("localStorage.setItem('switchyard_start_date', '2026-11-20 10:11:12')");
    await page.goto('/requests');
    await expect(page).toHaveURL(/startDate=2026-11-20/);
    await expect(page.getByRole('button', { name: 'Start day', exact: true })).toHaveText('2026-11-20');
    await expect.poll(() => asked.map((query) => query.get('startDate'))).toEqual(['2026-11-20 10:11:12']);
    await page.getByRole('button', { name: 'Remove filter 20.11.2026 12:11:12' }).click();
    await expect(page).toHaveURL(/\/requests$/);
    await expect.poll(() => stored(page, 'start_date')).toBeNull();
  });

  test('[REQ-032] leaving the page keeps the start date', async ({ page }) => {
    await page.goto('/');
    await page.evaluate("localStorage.setItem('switchyard_start_date', '2026-11-20')");
    await page.goto('/requests');
    await expect(page).toHaveURL(/startDate=2026-11-20/);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).click();
    await expect(page).toHaveTitle(/^Apps \| /);
    await expect(listRows(page).first()).toBeVisible();
    await expect.poll(() => stored(page, 'start_date')).toBe('2026-11-20');
  });
});

test.describe('sort and pages', () => {
  test('[REQ-025, REQ-026, REQ-027, REQ-028, REQ-029] newest first; id, date and type sort and drop the cursor', async ({ page, run }) => {
    const client = ownClient();
    await handIn(
      run,
      ['create', 'receive', 'track'].map((type) => ({ type, client_uid: client })),
    );
    const asked = recordQueries(page, call);
    await page.goto(`/requests?search=${client}`);
    await expect(listRows(page)).toHaveCount(3);
    expect([asked[0]?.get('orderBy'), asked[0]?.get('orderDirection')]).toEqual(['concatenated_date', 'desc']);
    await expect.poll(() => columnTexts(page, 'Req_Type')).toEqual(['create', 'receive', 'track']);

    await page.getByRole('columnheader', { name: 'Req_Type' }).getByRole('button').click();
    await expect.poll(async () => columnTexts(page, 'Req_Type')).toEqual(['track', 'receive', 'create']);
    await page.getByRole('columnheader', { name: '#' }).getByRole('button').click();
    await expect(page).toHaveURL(/orderBy=id$/);
    const date = page.getByRole('columnheader', { name: 'Date' });
    await date.getByRole('button').click();
    await expect(date).toHaveAttribute('aria-sort', 'descending');
    await date.getByRole('button').click();
    await expect(date).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(async () => columnTexts(page, 'Req_Type')).toEqual(['track', 'receive', 'create']);
    for (const header of ['App', 'Stream', 'IP', 'Bot', 'JSON Body']) {
      await expect(page.getByRole('columnheader', { name: header }).getByRole('button')).toHaveCount(0);
    }
    expect(asked.every((query) => !query.has('cursor'))).toBe(true);
  });

  test('[REQ-024, REQ-029, REQ-030, WID-021, WID-022] Prev and Next walk by cursor; a filter goes back to the start', async ({
    page,
    run,
  }) => {
    const client = ownClient();
    await handIn(
      run,
      Array.from({ length: 45 }, () => ({ type: 'create', client_uid: client })),
    );
    await page.goto(`/requests?search=${client}&limit=20`);
    const previous = page.getByRole('button', { name: 'Prev', exact: true });
    const next = page.getByRole('button', { name: 'Next', exact: true });
    await expect(listRows(page)).toHaveCount(20);
    await expect(previous).toBeDisabled();
    const first = await columnTexts(page, '#');
    await next.click();
    await expect.poll(async () => (await columnTexts(page, '#'))[0]).not.toBe(first[0]);
    await expect(previous).toBeEnabled();
    await next.click();
    await expect(listRows(page)).toHaveCount(5);
    await expect(next).toBeDisabled();
    await expect(page).toHaveURL(/cursor=/);
    await previous.click();
    // Its cursors lead on only once the page is there.
    await expect(listRows(page)).toHaveCount(20);
    await previous.click();
    await expect.poll(async () => columnTexts(page, '#')).toEqual(first);
    await next.click();
    await expect(page).toHaveURL(/cursor=/);
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'create' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect(page).toHaveURL(/type=create&limit=20$/);
    await expect.poll(async () => columnTexts(page, '#')).toEqual(first);
  });
});

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

  test('[REQ-020, REQ-021] the show button stands only where there is a body, in the colour of the outcome', async ({ page, run }) => {
    const client = ownClient();
    await handIn(
      run,
      bodies.map((body) => ({ ...body, client_uid: client })),
    );
    await page.goto(`/requests?search=${client}`);
    await expect(listRows(page)).toHaveCount(5);
    const tones = ['success', 'warning', 'danger', 'default'];
    for (const [at, tone] of tones.entries()) {
      await expect(
        listRows(page)
          .nth(at)
          .getByRole('button', { name: /^Show request/ }),
      ).toHaveAttribute('data-tone', tone);
    }
    await expect(
      listRows(page)
        .nth(4)
        .getByRole('button', { name: /^Show request/ }),
    ).toHaveCount(0);
  });

  test('[REQ-022, CONST-045, AMB-136, AMB-144] the panel shows every part, collapsed from depth four, and can be searched', async ({
    page,
    run,
  }) => {
    const client = ownClient();
    await handIn(
      run,
      bodies.map((body) => ({ ...body, client_uid: client })),
    );
    await page.goto(`/requests?search=${client}`);
    await listRows(page)
      .first()
      .getByRole('button', { name: /^Show request/ })
      .click();
    const panel = page.getByRole('complementary', { name: /^Request \d+$/ });
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
    const client = ownClient();
    await handIn(
      run,
      bodies.map((body) => ({ ...body, client_uid: client })),
    );
    await page.goto(`/requests?search=${client}`);
    await expect(listRows(page)).toHaveCount(5);
    await expect(page.locator('tr[data-tone="accent"]')).toHaveCount(0);
    await listRows(page)
      .first()
      .getByRole('button', { name: /^Show request/ })
      .click();
    const panel = page.getByRole('complementary', { name: /^Request \d+$/ });
    await expect(panel).toBeVisible();
    await expect(page.locator('tr[data-tone="accent"]')).toHaveCount(2);
    await expect(listRows(page).nth(2)).toHaveAttribute('data-tone', 'accent');
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(page.locator('tr[data-tone="accent"]')).toHaveCount(0);
    await listRows(page)
      .nth(1)
      .getByRole('button', { name: /^Show request/ })
      .click();
    await panel.getByRole('button', { name: 'Close panel' }).click();
    await expect(panel).toBeHidden();
  });

  test('Up and Down walk the rows from the list and from the panel', async ({ page, run }) => {
    const client = ownClient();
    await handIn(
      run,
      bodies.map((body) => ({ ...body, client_uid: client })),
    );
    await page.goto(`/requests?search=${client}`);
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
    const panel = page.getByRole('complementary', { name: /^Request \d+$/ });
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

  test('[REQ-031] changing the sort or a filter closes the panel', async ({ page, run }) => {
    const client = ownClient();
    await handIn(
      run,
      bodies.map((body) => ({ ...body, client_uid: client })),
    );
    await page.goto(`/requests?search=${client}&type=create&type=track`);
    const panel = page.getByRole('complementary', { name: /^Request \d+$/ });
    await listRows(page)
      .first()
      .getByRole('button', { name: /^Show request/ })
      .click();
    await expect(panel).toBeVisible();
    await page.getByRole('columnheader', { name: 'Date' }).getByRole('button').click();
    await expect(panel).toBeHidden();
    await listRows(page)
      .first()
      .getByRole('button', { name: /^Show request/ })
      .click();
    await expect(panel).toBeVisible();
    await page.getByRole('button', { name: 'Remove filter create' }).click();
    await expect(panel).toBeHidden();
    await expect(rowOf(page, 'track')).toHaveCount(1);
  });

  test('[WID-037, CONST-017, AMB-137] a request is copied as JSON, and the icon says so for a moment', async ({ page, run, context }) => {
    const client = ownClient();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await handIn(run, [{ type: 'create', client_uid: client, body_request: { gaid: '7c1e' } }]);
    await page.clock.install();
    await page.goto(`/requests?search=${client}`);
    const copy = listRows(page).getByRole('button', { name: /^(Copy request|Copied)/ });
    await expect(copy).toBeVisible();
    // The moment is shorter than a busy machine may take to look.
    await page.clock.pauseAt(Date.now() + 10_000);
    await copy.click();
    await expect(copy).toHaveAttribute('data-copied', 'true');
    const copied: { client_uid: string; body_request: unknown } = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
    expect([copied.client_uid, copied.body_request]).toEqual([client, { gaid: '7c1e' }]);
    await page.clock.fastForward(310);
    await expect(copy).not.toHaveAttribute('data-copied');
  });
});

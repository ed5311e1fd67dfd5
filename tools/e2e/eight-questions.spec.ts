import { randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { callApi, createJourneyApp, saveElsewhere, type JourneyApp } from '../console/app-api.ts';
import { handIn, handInRows, ownClient } from '../console/hand-in.ts';
import { withRunDatabase } from '../console/run-database.ts';
import type { RunState, StoredSession } from '../console/run-state.ts';
import { createJourneyUser, signInAs } from './account-api.ts';
import { asSession } from './as-session.ts';
import { expect, test } from './console-test.ts';
import { nameStreams } from './event-tab.ts';
import { daysAgo, withinOneDay } from './past-days.ts';

const countries = ['DE', 'PL', 'FR', 'ES', 'IT', 'NL', 'BE', 'AT', 'CZ', 'SE', 'NO', 'FI'];
/** Addresses of two autonomous systems of the registry. */
const addresses = { cloudflare: '1.1.1.1', google: '8.8.8.8' } as const;
/** The first day of the last seven of the server, which is two hours ahead of UTC. */
const firstDay = `date_trunc('day', now() at time zone 'UTC' + interval '2 hours') - interval '2 hours' - interval '6 days'`;

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

type Traffic = { falling: JourneyApp; rising: JourneyApp; client: string; banned: string; session: StoredSession };

/** Two apps with traffic that has an answer to each question, and an account that sees these alone. */
async function giveTraffic(run: RunState): Promise<Traffic> {
  // The first start loads the registry beside its other work.
  const findAsn = async () => JSON.stringify(await callApi(run, 'super', 'GET', 'octopus-app/asn?search=AS15169'));
  await expect.poll(findAsn, { timeout: 120_000 }).toContain('15169');
  await withinOneDay(120_000);
  const [falling, rising] = [await createJourneyApp(run), await createJourneyApp(run)];
  await nameStreams(run, falling, { [`${falling.id}-steady`]: 'Steady', [`${falling.id}-worse`]: 'Worse' });
  const client = ownClient();
  const banned = `2001:db8:${randomInt(1, 0xffff).toString(16)}:${randomInt(1, 0xffff).toString(16)}::7`;
  const { bundle } = falling;
  const [yesterday, weekAgo] = [daysAgo(1, '09:00'), daysAgo(8, '09:00')];
  const { cloudflare, google } = addresses;
  await handIn(run, [
    // A client in each country, with fewer creates from one to the next.
    ...countries.flatMap((country, at) => [
      ...times(12 - at, () => ({ type: 'create', bundle, country, client_uid: `${client}-${country}`, date: yesterday, ip: cloudflare })),
      { type: 'receive', bundle, country, client_uid: `${client}-${country}`, date: yesterday, ip: google },
    ]),
    { type: 'error', bundle, client_uid: `${client}-DE`, date: yesterday, ip: banned, error: { exception_type: 'Blocked' } },
    ...times(4, () => ({ type: 'error', bundle, date: daysAgo(2, '17:20'), ip: google, bot: 'GOOGLE', error: { exception_type: 'Bot' } })),
    { type: 'error', bundle, date: daysAgo(2, '18:20'), ip: cloudflare, bot: 'GOOGLE', error: { exception_type: 'Bot' } },
    ...['steady', 'worse'].flatMap((stream) =>
      [86_405_000, 5_000].flatMap((age, day) =>
        times(40, (at) => ({
          type: at < (stream === 'worse' && day === 1 ? 30 : 10) ? 'error' : 'track',
          bundle,
          stream_uid: `${falling.id}-${stream}`,
          date: new Date(Date.now() - age).toISOString(),
        })),
      ),
    ),
  ]);
  const conversion = (app: JourneyApp, createdAt: string, of: string | null) => ({
    id: randomUUID(),
    app_id: app.id,
    client_uid: of,
    status_conversion: 'deposit',
    status: 'success',
    payout: 12.5,
    created_at: createdAt,
  });
  const later = daysAgo(1, '09:01');
  await handInRows(run, 'conversions', [
    ...times(8, () => conversion(falling, weekAgo, null)),
    ...times(2, () => conversion(falling, later, `${client}-DE`)),
    conversion(falling, later, `${client}-PL`),
    ...times(2, () => conversion(rising, weekAgo, null)),
    ...times(4, () => conversion(rising, later, null)),
  ]);
  const user = await createJourneyUser(run, { roles: ['Super Admin'], appIds: [falling.id, rising.id] });
  return { falling, rising, client, banned, session: await signInAs(run, user) };
}

/** A reader at Home who presses controls, and what the lists then say. */
class Reader {
  readonly page: Page;
  readonly run: RunState;
  readonly isPhone: boolean;
  #presses = 0;

  constructor(page: Page, run: RunState, isPhone: boolean) {
    this.page = page;
    this.run = run;
    this.isPhone = isPhone;
  }

  /** One question: from Home on, in at most ten presses. */
  async answers(question: string, work: () => Promise<void>): Promise<void> {
    await test.step(question, async () => {
      this.#presses = 0;
      await this.page.goto('/');
      await work();
      expect(this.#presses, question).toBeLessThanOrEqual(10);
    });
  }

  async press(target: Locator): Promise<void> {
    await target.click();
    this.#presses += 1;
  }

  openSection(name: string): Promise<void> {
    return this.press(this.page.getByRole('list', { name: 'Sections' }).getByRole('link', { name: new RegExp(`^${name}`) }));
  }

  async openReadyReport(name: string): Promise<void> {
    await this.openSection('Reports');
    await this.press(this.page.getByRole('button', { name: 'Ready reports' }));
    await this.press(this.page.getByRole('menuitem', { name: new RegExp(`^${name}`) }));
  }

  rows(noun = 'figures'): Locator {
    return this.isPhone
      ? this.page.getByRole('list', { name: noun, exact: true }).getByRole('listitem')
      : this.page.locator('tr[data-index]');
  }

  /** Shows all figures of a card. */
  async unfold(row: Locator): Promise<void> {
    if (this.isPhone) await this.press(row.getByRole('button', { name: 'Show more' }));
  }

  /** The lines of a figure of a row: its value first. */
  async #linesOf(row: Locator, label: string): Promise<string[]> {
    const lines = this.isPhone ? (await row.innerText()).split('\n') : await this.page.getByRole('columnheader').allInnerTexts();
    const at = lines.indexOf(label);
    if (at < 0) return [];
    return this.isPhone ? lines.slice(at + 1) : (await row.locator('td').nth(at).innerText()).split('\n');
  }

  async expectFigures(row: Locator, figures: Readonly<Record<string, string | number>>): Promise<void> {
    const shown = async (): Promise<unknown> =>
      Object.fromEntries(await Promise.all(Object.keys(figures).map(async (label) => [label, (await this.#linesOf(row, label))[0]])));
    await expect.poll(shown).toEqual(Object.fromEntries(Object.entries(figures).map(([label, value]) => [label, String(value)])));
  }

  /** The first row of an SQL statement. */
  async sql(text: string, values: unknown[]): Promise<Record<string, number>> {
    const [row] = await this.sqlRows(text, values);
    if (row === undefined) throw new Error(`No row: ${text}`);
    return row;
  }

  sqlRows(text: string, values: unknown[]): Promise<Record<string, number>[]> {
    return withRunDatabase(this.run.dataDir, async (db) => (await db.query<Record<string, number>>(text, values)).rows);
  }
}

const share = (part = 0, whole = 1): string => `${((part / whole) * 100).toFixed(1)}%`;

for (const width of [1440, 390]) {
  test(`[REP-080, DASH-120] eight questions are answered from Home in ten presses at ${width} px, as SQL answers them`, async ({
    page,
    run,
  }) => {
    test.setTimeout(420_000);
    await page.addInitScript("Object.defineProperty(window, 'showSaveFilePicker', { value: undefined })");
    const { falling, rising, client, banned, session } = await giveTraffic(run);
    await page.setViewportSize({ width, height: 900 });
    await asSession(page, session);
    const reader = new Reader(page, run, width === 390);
    const rows = reader.rows();

    await reader.answers('Which apps lost most conversions against last week?', async () => {
      await reader.openReadyReport('Biggest movers');
      await expect(rows.first()).toContainText(falling.name);
      await expect(rows.nth(1)).toContainText(rising.name);
      for (const [at, app] of [falling, rising].entries()) {
        const { current, compared } = await reader.sql(
          `select count(*) filter (where created_at >= ${firstDay})::int as current,
             count(*) filter (where created_at >= ${firstDay} - interval '7 days' and created_at < now() - interval '7 days')::int as compared
           from conversions where app_id = $1`,
          [app.id],
        );
        await reader.unfold(rows.nth(at));
        await reader.expectFigures(rows.nth(at), { Conversions: current ?? NaN });
        await expect(rows.nth(at)).toContainText(`from ${compared}`);
      }
    });

    await reader.answers('What are conversion and payout by app and country?', async () => {
      await reader.openReadyReport('Conversion and payout by country');
      const answers = await reader.sqlRows(
        `select country, count(*)::int as requests, count(*) filter (where type = 'create')::int as creates,
           (select count(*)::int from conversions c where c.app_id = $1 and c.created_at >= ${firstDay} and e.country = (
              select last.country from events last where last.app_id = c.app_id and last.client_uid = c.client_uid and last.type = 'create'
                and last.occurred_at <= c.created_at order by last.occurred_at desc limit 1)) as conversions
         from events e where app_id = $1 and occurred_at >= ${firstDay} and country in ('DE', 'PL', 'FR') group by country order by creates desc`,
        [falling.id],
      );
      expect(answers.map(({ conversions }) => conversions)).toEqual([2, 1, 0]);
      for (const [at, name] of ['Germany', 'Poland', 'France'].entries()) {
        const { requests = 0, creates = 0, conversions = 0 } = answers[at] ?? {};
        const row = rows.filter({ hasText: name });
        await reader.unfold(row);
        await reader.expectFigures(row, {
          'Requests: create': creates,
          'Conversions, valid': conversions,
          'Create to conversion ratio': `${share(conversions, creates)}*`,
          'Payout per 1,000 requests': `${((conversions * 12.5 * 1_000) / requests).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}*`,
        });
      }
    });

    await reader.answers('Which system sends most blocked requests, and what would a ban have blocked?', async () => {
      await reader.openReadyReport('Blocked traffic by system');
      const systems = await reader.sqlRows(
        `select count(*) filter (where type = 'error')::int as errors, count(*) filter (where type = 'create')::int as creates,
           count(*) filter (where type = 'receive')::int as receives, count(*)::int as requests from events
         where app_id = $1 and occurred_at >= ${firstDay} and asn in ('15169', '13335') group by asn order by errors desc`,
        [falling.id],
      );
      const [google, cloudflare] = [rows.filter({ hasText: 'AS15169' }), rows.filter({ hasText: 'AS13335' })];
      await reader.expectFigures(google, { 'Requests: type error': systems[0]?.['errors'] ?? NaN });
      await reader.expectFigures(cloudflare, { 'Requests: type error': systems[1]?.['errors'] ?? NaN });
      await page.goto('/');
      await reader.openSection('ASNs');
      const systemRows = reader.rows('autonomous systems');
      if (reader.isPhone) await page.getByLabel('Sort by').selectOption('Receives');
      else await reader.press(page.getByRole('columnheader', { name: 'Receives' }).getByRole('button'));
      await expect(systemRows.first()).toContainText('15169');
      await reader.unfold(systemRows.first());
      const [first] = systems;
      await reader.expectFigures(systemRows.first(), {
        Requests: first?.['requests'] ?? NaN,
        Creates: first?.['creates'] ?? NaN,
        Receives: first?.['receives'] ?? NaN,
      });
    });

    await reader.answers('At which hour of which weekday does an app peak?', async () => {
      await reader.openReadyReport('Hours of the week');
      if (reader.isPhone) await reader.press(page.getByRole('button', { name: 'Filters' }));
      await reader.press(page.getByRole('combobox', { name: 'Add filter' }));
      await reader.press(page.getByRole('option', { name: 'App', exact: true }));
      await reader.press(page.getByRole('option', { name: falling.name }));
      await page.keyboard.press('Escape');
      await reader.press(page.getByRole('button', { name: 'Apply filter' }));
      await expect(page.getByRole('list', { name: 'Active filters' })).toContainText(falling.name);
      const {
        weekday = 0,
        hour = 0,
        requests = 0,
      } = await reader.sql(
        `select extract(isodow from at)::int as weekday, extract(hour from at)::int as hour, count(*)::int as requests
         from (select occurred_at at time zone 'UTC' + interval '2 hours' as at from events where app_id = $1) as e
         group by 1, 2 order by 3 desc limit 1`,
        [falling.id],
      );
      const day = page.locator('tr[data-index]').filter({ hasText: ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][weekday] ?? '' });
      const at = (await page.getByRole('columnheader').allInnerTexts()).indexOf(`${String(hour).padStart(2, '0')}:00`);
      await expect(day.locator('td').nth(at)).toHaveText(String(requests));
    });

    await reader.answers("Which stream's share of errors rose since yesterday?", async () => {
      await reader.openReadyReport('Rising errors');
      await expect(rows.first()).toContainText('Worse');
      const { today, errors, before, errorsBefore } = await reader.sql(
        `select count(*) filter (where occurred_at > now() - interval '20 hours')::int as today,
           count(*) filter (where occurred_at > now() - interval '20 hours' and type = 'error')::int as errors,
           count(*) filter (where occurred_at <= now() - interval '20 hours')::int as before,
           count(*) filter (where occurred_at <= now() - interval '20 hours' and type = 'error')::int as "errorsBefore"
         from events where app_id = $1 and stream_uid = $2`,
        [falling.id, `${falling.id}-worse`],
      );
      await reader.expectFigures(rows.first(), { 'Error share': share(errors, today), 'Requests: type error': errors ?? NaN });
      await expect(rows.first()).toContainText(`from ${share(errorsBefore, before)}`);
    });

    await reader.answers('Which are the ten largest countries of an app, and the others?', async () => {
      await reader.openReadyReport('Largest countries');
      await expect(rows).toHaveCount(11);
      const answers = await reader.sqlRows(
        `select country, count(*)::int as requests from events where app_id = $1 and occurred_at >= ${firstDay}
         group by country order by requests desc`,
        [falling.id],
      );
      const counts = answers.map(({ requests = 0 }) => requests);
      const wanted = [...counts.slice(0, 10), counts.slice(10).reduce((sum, count) => sum + count, 0)];
      for (const [at, requests] of wanted.entries()) await reader.expectFigures(rows.nth(at), { Requests: requests });
      const saved = page.waitForEvent('download');
      await reader.press(page.getByRole('button', { name: 'Download' }));
      const [header = '', ...lines] = (await readFile(await (await saved).path(), 'utf8')).trim().split(/\r?\n/);
      const column = header.split(',').indexOf('requests');
      // The last line is the total.
      const total = counts.reduce((sum, count) => sum + count, 0);
      expect(lines.map((line) => Number(line.split(',')[column]))).toEqual([...wanted, total]);
      const picture = page.waitForEvent('download');
      await reader.press(page.getByRole('button', { name: 'Save picture' }));
      expect((await readFile(await (await picture).path())).subarray(1, 4).toString()).toBe('PNG');
    });

    await reader.answers('What happened to a client, and why was it blocked?', async () => {
      await callApi(run, 'super', 'POST', 'black-list', { ips: [banned], reason: 'Sends errors' });
      await reader.press(page.getByRole('button', { name: /^Find/ }));
      await page.getByPlaceholder('Search apps, accounts, pages and actions').fill(`${client}-DE`);
      await reader.press(page.getByRole('option', { name: new RegExp(`${client}-DE`) }).first());
      const { requests, conversions } = await reader.sql(
        `select (select count(*)::int from events where client_uid = $1) as requests,
           (select count(*)::int from conversions where client_uid = $1) as conversions`,
        [`${client}-DE`],
      );
      const seen = page.getByRole('region', { name: 'Seen' });
      await expect(seen).toContainText(new RegExp(`Requests\\s*${requests}\\D`));
      await expect(seen).toContainText(new RegExp(`Conversions\\s*${conversions}`));
      const address = page.getByRole('region', { name: 'Addresses' }).getByRole('listitem').filter({ hasText: banned });
      await expect(address).toContainText('black-listed');
      await reader.press(address.getByRole('link', { name: banned }));
      await expect(page.getByRole('region', { name: 'Black list', exact: true })).toContainText('Sends errors');
    });

    await reader.answers('Did a change of an app move its traffic?', async () => {
      await saveElsewhere(run, falling.id, { whiteUserAgent: 'Changed' });
      const [entry] = await reader.sqlRows(
        `update audit_entries set at = at - interval '26 hours' where id = (select max(id) from audit_entries where entity = 'app' and app_id = $1)
         returning id`,
        [falling.id],
      );
      const { before = 0, after = 0 } = await reader.sql(
        `select count(*) filter (where occurred_at < hour)::int as before, count(*) filter (where occurred_at >= hour + interval '1 hour')::int as after
         from events, (select date_trunc('hour', at) as hour from audit_entries where id = $2) as change
         where app_id = $1 and occurred_at >= hour - interval '24 hours' and occurred_at < hour + interval '25 hours'`,
        [falling.id, entry?.['id']],
      );
      await reader.openSection('Apps');
      const app = reader.rows('apps').filter({ hasText: falling.name });
      await reader.unfold(app);
      await reader.press(app.getByRole('link', { name: /^Edit/ }));
      await reader.press(page.getByRole('link', { name: 'History', exact: true }));
      const change = reader.rows('revisions').filter({ hasText: 'Changed' });
      await expect(change).toContainText(`${before} → ${after} requests`);
    });
  });
}

import type { Locator, Page } from '@playwright/test';

/** The rows of a list's table, without its header and TOTAL row. */
export function listRows(page: Page): Locator {
  return page.locator('tr[data-index]');
}

/** The row that contains a text. */
export function rowOf(page: Page, text: string | RegExp): Locator {
  return listRows(page).filter({ hasText: text });
}

const boxes = 'th[data-column="selection"]';

/** The headers of a list's table as they read, without the boxes that select rows. */
export async function headers(page: Page): Promise<string[]> {
  return page
    .getByRole('columnheader')
    .and(page.locator(`:not(${boxes})`))
    .allInnerTexts();
}

/** Texts of a column's cells, from the first row on. */
export async function columnTexts(page: Page, header: string): Promise<string[]> {
  const at = (await headers(page)).indexOf(header);
  if (at < 0) throw new Error(`The table has no column ${header}`);
  const place = at + 1 + (await page.locator(boxes).count());
  return page.locator(`tr[data-index] > td:nth-child(${place})`).allInnerTexts();
}

/** Changes the answer of a call before the page gets it. */
export async function changeAnswer(page: Page, path: RegExp, change: (body: ListAnswer) => void): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const body: ListAnswer = await response.json();
    change(body);
    await route.fulfill({ response, json: body });
  });
}

/** An answer of a list as the tests change it. */
export type ListAnswer = { data: Record<string, unknown>[]; pagination: Record<string, unknown> };

/** The query of every request to a path, in order, from this moment on. */
export function recordQueries(page: Page, path: string): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === path) queries.push(url.searchParams);
  });
  return queries;
}

import type { Locator, Page } from '@playwright/test';
import { listRows } from '../console/list-rows.ts';

/** The button that opens the request of a row, counted from the top; rows without a body have none. */
export function showButton(page: Page, at = 0): Locator {
  return listRows(page)
    .nth(at)
    .getByRole('button', { name: /^Show request/ });
}

/** The side panel with the opened request. */
export function requestPanel(page: Page): Locator {
  return page.getByRole('complementary', { name: /^Request \d+$/ });
}

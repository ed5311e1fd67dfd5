import type { Page } from '@playwright/test';

/** From now on the server answers the page that the account lacks a permission. */
export async function withoutPermission(page: Page, permission: string): Promise<void> {
  await page.route('**/api/sanctum/user', async (route) => {
    const response = await route.fetch();
    const body: { data: { permissions: string[] } } = await response.json();
    body.data.permissions = body.data.permissions.filter((name) => name !== permission);
    await route.fulfill({ response, json: body });
  });
}

import type { AccountToken } from '@switchyard/contract/account-tokens';
import { pageOf } from '@switchyard/contract/page-of';
import type { Permission } from '@switchyard/contract/permissions';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { sampleToken } from '../../../testing/sample-token.ts';
import { stubApi } from '../../../testing/stub-api.ts';
import { AccountTokensPage } from './account-tokens-page.tsx';

const namelessToken: AccountToken = { ...sampleToken, id: 2, name: 'Backup', last_used_at: null, last_used_ip: null };
const service: AccountToken = { ...sampleToken, id: 3, name: 'Edge', kind: 'service', expires_at: null };

/** Shows the page over a server with these tokens; gives the paths of the calls that write. */
async function render(tokens: readonly AccountToken[], { address = '/tokens', permissions = ['manager_user_edit'] as Permission[] } = {}) {
  let storedTokens = [...tokens];
  const writes: string[] = [];
  stubApi((url, init) => {
    if (init.method === 'GET') {
      const found = storedTokens.filter((token) => !url.includes('use=never') || token.last_used_at === null);
      return Response.json({ success: true, ...pageOf(found, { page: 1, limit: 100 }) });
    }
    writes.push(`${init.method} ${url}`);
    const storedToken = storedTokens.find(({ id }) => url.endsWith(`/${id}`));
    storedTokens = storedTokens.filter((token) => token !== storedToken);
    return storedToken === undefined
      ? Response.json({ success: false, message: 'Not found' }, { status: 404 })
      : new Response(null, { status: 204 });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPages([['/tokens', 'API tokens', AccountTokensPage]], [address]);
  return { writes, removeElsewhere: (id: number) => (storedTokens = storedTokens.filter((token) => token.id !== id)) };
}

const revoke = (name: string) => page.getByRole('button', { name: `Revoke ${name} of Pavel` });
const agree = () => page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();

it('[IDN-114] filters the tokens that were never used and revokes one after a prompt', async () => {
  const { writes } = await render([sampleToken, namelessToken, service]);
  await expect.element(page.getByRole('link', { name: 'Pavel' }).first()).toHaveAttribute('href', '/users/8/edit');
  await expect.element(revoke('Deployment')).toBeVisible();
  await page.getByLabelText('Last use').click();
  await page.getByRole('option', { name: 'Never used' }).click();
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect.element(revoke('Deployment')).not.toBeInTheDocument();
  await revoke('Backup').click();
  await expect.element(page.getByText('Programs that use this token can no longer make calls.')).toBeVisible();
  await agree();
  await expect.element(page.getByText(/Backup has been revoked/)).toBeVisible();
  await expect.element(revoke('Backup')).not.toBeInTheDocument();
  expect(writes).toEqual(['DELETE /api/tokens/2']);
});

it('[IDN-114] removes a token from the list that somebody else revoked meanwhile', async () => {
  const { removeElsewhere } = await render([sampleToken, namelessToken]);
  await revoke('Backup').click();
  removeElsewhere(2);
  await agree();
  await expect.element(revoke('Backup')).not.toBeInTheDocument();
  await expect.element(revoke('Deployment')).toBeVisible();
});

it('[IDN-114] shows service accounts, which are changed on their own page', async () => {
  await render([service], { permissions: ['manager_user_edit', 'manager_settings_roles'] });
  await expect.element(page.getByText('Service', { exact: true })).toBeVisible();
  expect(revoke('Edge').elements()).toHaveLength(0);
  await expect.element(page.getByRole('link', { name: 'Manage Edge in Service accounts' })).toHaveAttribute('href', '/service-accounts');
});

it('[IDN-114] links no page that the reader may not open', async () => {
  await render([service], { address: '/tokens?expiry=none' });
  await expect.element(page.getByText('Edge')).toBeVisible();
  expect(page.getByRole('link', { name: /Manage/ }).elements()).toHaveLength(0);
});

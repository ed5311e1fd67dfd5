import type { ServiceAccount } from '@switchyard/contract/api-tokens';
import type { Permission } from '@switchyard/contract/permissions';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { unsavedWork } from '../../../shared/unsaved-work.ts';
import { ServiceAccountsPage } from './service-accounts-page.tsx';

const secret = `swy_${'B'.repeat(46)}`;
const longName = `${'Deployment '.repeat(4)}${'x'.repeat(14)}`;
const account: ServiceAccount = {
  id: 1,
  name: longName,
  ends_with: 'AAAA',
  permission_ids: [23],
  has_all_apps: false,
  app_ids: [4, 5],
  networks: ['203.0.113.0/24'],
  created_at: '2026-11-20 08:00:00',
  expires_at: null,
  is_expired: false,
  last_used_at: null,
  last_used_ip: null,
  owner: { id: 9, name: 'Pavel' },
  is_stopped: true,
  read_only: false,
};
const stronger: ServiceAccount = { ...account, id: 2, name: 'Root', permission_ids: [1, 3], read_only: true, is_stopped: false };
const ok = (data: unknown, status = 200) => Response.json({ success: true, data }, { status });

/** Shows the page over a server that has these service accounts; gives what was sent. */
async function render(
  rows: readonly ServiceAccount[],
  { permissions = ['manager_settings_roles', 'buyer_stream_view'] }: { permissions?: Permission[] } = {},
): Promise<unknown[]> {
  const bodies: unknown[] = [];
  let remainingRows = [...rows];
  let failures = rows.length === 0 ? 1 : 0;
  stubApi((url, init) => {
    const id = Number(/service-accounts\/(\d+)/.exec(url)?.[1]);
    const accountRow = remainingRows.find((row) => row.id === id);
    if (init.method === 'GET') {
      if (!url.endsWith('/service-accounts')) return ok([]);
      failures -= 1;
      return failures < 0 ? ok(remainingRows) : Response.json({ success: false, message: 'Database is unavailable' }, { status: 503 });
    }
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    bodies.push([init.method, url.replace('/api/', ''), body]);
    if (accountRow === undefined) {
      const createdAccount = { ...account, id: 7, name: 'Backup', networks: [], has_all_apps: true, app_ids: [], is_stopped: false };
      remainingRows = [createdAccount];
      return ok({ service_account: createdAccount, secret }, 201);
    }
    if (init.method === 'DELETE') {
      remainingRows = remainingRows.filter((row) => row !== accountRow);
      return new Response(null, { status: 204 });
    }
    const changedAccount = { ...accountRow, owner: { id: 1, name: 'Olga' }, is_stopped: false };
    remainingRows = remainingRows.map((row) => (row === accountRow ? changedAccount : row));
    return url.endsWith('/secret') ? ok({ service_account: changedAccount, secret }, 201) : ok(changedAccount);
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPages([['/service-accounts', 'Service accounts', ServiceAccountsPage]], ['/service-accounts']);
  return bodies;
}

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const edit = (name: string) => page.getByRole('button', { name: `Edit ${name}` });

it('[PERMX-006] offers presets of permissions, and none of which the reader holds nothing', async () => {
  const held: Permission[] = ['manager_settings_roles', 'manager_app_all_requests', 'manager_app_statistics'];
  await render([], { permissions: held });
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  const boxOf = (name: string) => page.getByRole('checkbox', { name, exact: true });
  await page.getByRole('button', { name: 'Read only' }).click();
  await expect.element(boxOf('manager_app_all_requests')).toBeChecked();
  await expect.element(boxOf('manager_app_statistics')).toBeChecked();
  await expect.element(boxOf('manager_settings_roles')).not.toBeChecked();
  await page.getByRole('button', { name: 'Ingestion checks' }).click();
  await expect.element(boxOf('manager_app_statistics')).not.toBeChecked();
  await expect
    .element(page.getByRole('button', { name: 'Ingestion checks' }))
    .toHaveAttribute('title', expect.stringContaining('Your account does not have manager_app_requests'));
});

it('[PERMX-006] disables the presets for a reader who holds none of their permissions', async () => {
  await render([]);
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  await expect.element(page.getByRole('button', { name: 'Read only' })).toBeDisabled();
});

it('[IDN-086] shows a service account with more permissions than the reader has, and offers no change of it', async () => {
  const bodies = await render([account, stronger]);
  await expect.element(page.getByText(/^Read-only: It has permissions that your account does not have/)).toBeInTheDocument();
  await edit('Root').click();
  const details = dialog('Root');
  await expect.element(details.getByRole('note')).toMatchTextContent(/^It has permissions that your account does not have/);
  await expect.element(details.getByText('Pavel')).toBeVisible();
  await expect.element(details.getByText('203.0.113.0/24')).toBeVisible();
  for (const name of ['New token', 'Take over', 'Delete', 'Save']) expect(details.getByRole('button', { name }).elements()).toHaveLength(0);
  expect(details.getByRole('textbox').elements()).toHaveLength(0);
  expect(bodies).toEqual([]);
});

it('[IDN-086] takes over a service account whose owner lost access', async () => {
  const bodies = await render([account]);
  await expect.element(page.getByText('Stopped')).toBeVisible();
  await edit(longName).click();
  await expect.element(dialog(longName).getByText(/does not work because Pavel lost access/)).toBeVisible();
  await dialog(longName).getByRole('button', { name: 'Take over' }).click();
  await expect.element(dialog(`Take over ${longName}?`).getByText('Anybody who has its token can still use it.')).toBeVisible();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect.element(page.getByText('Works')).toBeVisible();
  await expect.element(page.getByRole('grid').getByText('Olga')).toBeVisible();
  expect(bodies).toEqual([['PUT', 'service-accounts/1', { take_over: true }]]);
  // Its owner has nothing to take over.
  await edit(longName).click();
  await expect.element(dialog(longName).getByRole('button', { name: 'New token' })).toBeVisible();
  expect(dialog(longName).getByRole('button', { name: 'Take over' }).elements()).toHaveLength(0);
});

it('[IDN-086] keeps the buttons of the dialog in sight, however long the name is', async () => {
  await render([{ ...account, name: 'W'.repeat(60) }]);
  await edit('W'.repeat(60)).click();
  const details = dialog('W'.repeat(60));
  await expect.element(details.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
  const { right } = details.element().getBoundingClientRect();
  expect(details.getByRole('button', { name: 'Close' }).element().getBoundingClientRect().right).toBeLessThan(right);
});

it('[IDN-086] gives a service account a new token, which is shown once', async () => {
  const bodies = await render([account]);
  await edit(longName).click();
  await dialog(longName).getByRole('button', { name: 'New token' }).click();
  await expect.element(page.getByText('You become the owner, because you are shown the token.')).toBeVisible();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect.element(page.getByTestId('token-secret')).toHaveTextContent(secret);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Done' })).toBeDisabled();
  await page.getByLabelText('I have stored the token').click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await edit(longName).click();
  await expect.element(dialog(longName).getByRole('button', { name: 'Save' })).toBeVisible();
  expect(page.getByText(secret).elements()).toHaveLength(0);
  expect(bodies).toEqual([['POST', 'service-accounts/1/secret', null]]);
});

it('[IDN-086] loads again after a failure, says that there are none, creates one and deletes it', async () => {
  const bodies = await render([]);
  await expect.element(page.getByText('Database is unavailable').first()).toBeVisible();
  await page.getByRole('button', { name: /^(Try again|Retry)$/ }).click();
  await expect.element(page.getByText('No service accounts yet')).toBeVisible();
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  await page.getByLabelText('Name', { exact: true }).fill('Backup');
  await page.getByRole('checkbox', { name: 'All of Stream' }).click();
  await page.getByText('Never', { exact: true }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect.element(page.getByTestId('token-secret')).toHaveTextContent(secret);
  await page.getByLabelText('I have stored the token').click();
  await page.getByRole('button', { name: 'Done' }).click();
  await edit('Backup').click();
  await dialog('Backup').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect.element(page.getByText('No service accounts yet')).toBeVisible();
  const rights = { permission_ids: [23], has_all_apps: true, app_ids: [], networks: [] };
  expect(bodies).toEqual([
    ['POST', 'service-accounts', { name: 'Backup', ...rights, expires_in_days: null }],
    ['DELETE', 'service-accounts/7', null],
  ]);
});

it('[SHELL-081] cannot be closed while a token is made, which counts as unsaved until it is stored', async () => {
  await render([{ ...account, is_stopped: false }]);
  const answer = Promise.withResolvers<Response>();
  stubApi((_url, { method }) => (method === 'GET' ? ok([]) : answer.promise));
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  const form = dialog('Create service account');
  await form.getByLabelText('Name', { exact: true }).fill('Backup');
  await form.getByRole('checkbox', { name: 'All of Stream' }).click();
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await expect.element(form.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  expect(form.getByRole('button', { name: 'Close' }).elements()).toHaveLength(0);
  await userEvent.keyboard('{Escape}');
  answer.resolve(
    ok({ service_account: { ...account, id: 7, name: 'Backup', networks: [], has_all_apps: true, app_ids: [] }, secret }, 201),
  );
  await expect.element(page.getByTestId('token-secret')).toHaveTextContent(secret);
  expect(unsavedWork.isHeld()).toBe(true);
  await page.getByLabelText('I have stored the token').click();
  expect(unsavedWork.isHeld()).toBe(false);
});

it('[SHELL-053] [SHELL-062] a cancelled confirmation leaves no error, and what was typed counts as unsaved', async () => {
  await render([{ ...account, is_stopped: false }]);
  const data = { reauthentication: { methods: ['password'] } };
  stubApi((_url, { method }) =>
    method === 'GET' ? ok([]) : Response.json({ success: false, message: 'Confirm that it is you', data }, { status: 403 }),
  );
  const cancel = async (): Promise<void> => {
    const confirmation = dialog('Confirm that it is you');
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(confirmation).not.toBeInTheDocument();
  };
  await edit(longName).click();
  const form = dialog(longName);
  expect(unsavedWork.isHeld()).toBe(false);
  await form.getByLabelText('Name', { exact: true }).fill('Backup');
  expect(unsavedWork.isHeld()).toBe(true);
  await form.getByRole('button', { name: 'Save' }).click();
  await cancel();
  await expect.element(form.getByLabelText('Name', { exact: true })).toHaveValue('Backup');
  for (const action of ['New token', 'Take over', 'Delete']) {
    await form.getByRole('button', { name: action }).click();
    await page.getByRole('button', { name: 'OK' }).click();
    await cancel();
  }
  expect(page.getByRole('alert').elements()).toHaveLength(0);
  expect(page.getByTestId('notification').elements()).toHaveLength(0);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(form).not.toBeInTheDocument();
  expect(unsavedWork.isHeld()).toBe(false);
});

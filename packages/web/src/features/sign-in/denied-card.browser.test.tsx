import type { Permission } from '@switchyard/contract/permissions';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderPages } from '../../testing/render-pages.tsx';
import { DeniedCard } from './denied-card.tsx';

async function render(permissions: readonly Permission[]) {
  const rest = {
    id: 1,
    name: 'Olga',
    email: 'o@x.y',
    panel: 'user',
    hasAllApps: true,
    isSuperAdmin: false,
    roles: [],
    badges: [],
  } as const;
  const user = { ...rest, roles: [], badges: [], permissions: [...permissions] };
  const denied = { title: 'Logs', permissions: ['manager_dev_logs'] } as const;
  await renderPages([['/login', 'Sign in', () => <DeniedCard page={denied} user={user} onOtherAccount={() => undefined} />]], ['/login']);
  await expect
    .element(page.getByRole('list', { name: 'Missing permissions' }))
    .toMatchTextContent(/Read, download and delete logs manager_dev_logs/);
}

it('[PERMX-005] names the missing permission and links readers who manage roles to those who have it', async () => {
  await render(['manager_settings_roles']);
  await expect.element(page.getByRole('link', { name: 'Who can?' })).toHaveAttribute('href', '/who-can?permission=manager_dev_logs');
});

it('[PERMX-005] links nobody else to it', async () => {
  await render(['manager_app_edit']);
  expect(page.getByRole('link', { name: 'Who can?' }).elements()).toHaveLength(0);
});

import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../../shared/session/session-store.ts';
import { loadSettings } from '../../shared/settings.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { unsavedWork } from '../../shared/unsaved-work.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactors } from './second-factors.tsx';

const user = { id: 1, name: 'Olga', email: 'olga@example.com', panel: 'user' as const, hasAllApps: true, isSuperAdmin: false };
const settings = {
  appTitle: 'S',
  productName: 'Tollgate',
  version: '1',
  loginMethods: 'email',
  hideDocs: false,
  hideOnlyCf: false,
  buyerPanelUrl: null,
};
const factor = { id: 4, kind: 'totp', name: 'Phone', created_at: '2026-11-20 08:00:00', last_used_at: null };
const ok = (data: unknown) => Response.json({ success: true, data });

async function open(Page: () => ReactNode, write: (url: string) => Response) {
  stubApi((url, { method }) => {
    if (url.endsWith('/settings')) return ok(settings);
    if (url.endsWith('/sessions')) return ok([]);
    if (method === 'GET') return ok({ factors: [factor], recovery_codes_left: 10, required: false, required_from: null, may_add: true });
    return write(url);
  });
  const token = { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 };
  sessionStore.open({ user: { ...user, roles: [], badges: [], permissions: [] }, token });
  await loadSettings();
  await renderPages([['/account', 'My account', Page]], ['/account']);
}

it('[SHELL-053] [SHELL-062] a cancelled confirmation leaves no error where something is renamed, added or set up, and the typed name counts as unsaved', async () => {
  const data = { reauthentication: { methods: ['password'] } };
  await open(SecondFactors, () => Response.json({ success: false, message: 'Confirm that it is you', data }, { status: 403 }));
  const cancel = async (): Promise<void> => {
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
  };
  await page.getByRole('button', { name: 'Rename Phone' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename second factor' });
  expect(unsavedWork.isHeld()).toBe(false);
  await rename.getByLabelText('Name').fill('Tablet');
  expect(unsavedWork.isHeld()).toBe(true);
  await rename.getByRole('button', { name: 'Save' }).click();
  await cancel();
  await expect.element(rename.getByLabelText('Name')).not.toHaveAttribute('aria-invalid', 'true');
  expect(page.getByText('Confirm that it is you').elements()).toHaveLength(0);
  await rename.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(rename).not.toBeInTheDocument();
  expect(unsavedWork.isHeld()).toBe(false);

  // Without the confirmation there is no key to show.
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await cancel();
  await expect.element(page.getByRole('dialog', { name: 'Add authenticator app' })).not.toBeInTheDocument();
});

it('[SHELL-052] a name that reaches its limit says so', async () => {
  await open(SecondFactors, () => ok({ ...factor, name: 'Tablet' }));
  const name = page.getByRole('dialog', { name: 'Rename second factor' }).getByLabelText('Name');
  await page.getByRole('button', { name: 'Rename Phone' }).click();
  const limit = Number((await vi.waitUntil(() => name.query())).getAttribute('maxlength'));
  await name.fill('x'.repeat(limit - 1));
  await expect.element(name).toHaveAccessibleDescription(`1 character left of ${limit}.`);
  await name.fill('x'.repeat(limit));
  await expect.element(name).toHaveAccessibleDescription(`The limit of ${limit} characters is reached.`);
  await name.fill('Tablet');
  await expect.element(name).toHaveAccessibleDescription('');
});

it('[SHELL-054] the file of recovery codes names product, account and date', async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return 'about:blank';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await open(
    () => <RecoveryCodes codes={['AAAA-1', 'BBBB-2']} onDone={() => undefined} />,
    () => ok(null),
  );
  await page.getByRole('button', { name: 'Download codes' }).click();
  const lines = ((await files[0]?.text()) ?? '').split('\n');
  expect(lines[0]).toBe(`Recovery codes of Tollgate (${window.location.host})`);
  expect(lines.slice(1)).toEqual([
    'Account: olga@example.com',
    expect.stringMatching(/^Created: \d{4}-\d{2}-\d{2}$/),
    'Each code signs you in once.',
    '',
    'AAAA-1',
    'BBBB-2',
    '',
  ]);
});

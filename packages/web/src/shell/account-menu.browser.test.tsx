import { productVersion } from '@switchyard/contract/limits';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sessionStore } from '../shared/session/session-store.ts';
import { stubApi } from '../testing/stub-api.ts';
import { renderPages } from '../testing/render-pages.tsx';
import { AccountMenu } from './account-menu.tsx';

const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: true } as const;

it('[SHELL-018, AMB-033, OPS-006] shows product, licence and data sources by keyboard alone, and returns the focus', async () => {
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: [] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  stubApi(() => Response.json({ success: true, data: { version: productVersion, commit: '0123456789abcdef0123456789abcdef01234567' } }));
  await renderPages([['/page', 'Page', AccountMenu]], ['/page']);
  const avatar = page.getByRole('button', { name: 'Account of Olga' });
  await expect.element(avatar).toBeVisible();
  // Drawn here from the name: no picture is asked for.
  expect(avatar.element().textContent).toMatch(/^O/);
  expect(avatar.element().querySelector('img')).toBeNull();
  await userEvent.tab();
  await expect.element(avatar).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const about = page.getByRole('button', { name: 'About Switchyard' });
  await expect.element(page.getByRole('link', { name: 'My account' })).toHaveFocus();
  await userEvent.tab();
  await expect.element(page.getByRole('link', { name: 'My sessions' })).toHaveFocus();
  await userEvent.tab();
  await expect.element(page.getByRole('button', { name: 'Keyboard shortcuts' })).toHaveFocus();
  await userEvent.tab();
  await expect.element(about).toHaveFocus();
  await userEvent.keyboard('{Enter}');

  const box = page.getByRole('dialog', { name: 'About Switchyard' });
  await expect
    .element(box)
    .toMatchTextContent(new RegExp(`Version${productVersion.replaceAll('.', String.raw`\.`)}Commit0123456789abLicenceMIT`));
  await expect.element(box).toMatchTextContent(/Autonomous systems and their prefixes: RouteViews, DB-IP and NRO/);
  await expect.element(box).toMatchTextContent(/Countries of addresses: NRO/);
  const links = box.getByRole('link').elements();
  expect(new Map(links.map((link) => [link.textContent, link.getAttribute('href')]))).toEqual(
    new Map([
      ['MIT', '/licence.txt'],
      ['Packages, icons, flags and typefaces with their licences', '/licences.txt'],
      ['CC BY 4.0', 'https://creativecommons.org/licenses/by/4.0/'],
      ['RouteViews', 'https://www.routeviews.org'],
      ['DB-IP', 'https://db-ip.com'],
      ['NRO', 'https://www.nro.net'],
      ['ip-location-db', 'https://github.com/sapics/ip-location-db'],
      ['CC0 1.0', 'https://creativecommons.org/publicdomain/zero/1.0/'],
      ['CC BY-SA 3.0', 'https://creativecommons.org/licenses/by-sa/3.0/'],
      ['SecLists', 'https://github.com/danielmiessler/SecLists'],
    ]),
  );
  expect(links.every((link) => link.getAttribute('target') === '_blank' && link.getAttribute('rel') === 'noreferrer')).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(box).not.toBeInTheDocument();
  await expect.element(avatar).toHaveFocus();
});

import type { CheckDomain } from '@switchyard/contract/apps';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sampleApp } from '../../configurator/testing/sample-app.ts';
import { passTime, stopClock } from '../../../../testing/clock.ts';
import { ok, refusal, renderEditPage } from '../testing/render-edit-page.tsx';

const linkNotice = /This operation is not instant\. Please reload the page in 1-2 minutes\./;

function link(more: Partial<CheckDomain>): CheckDomain {
  return {
    id: 44,
    server_id: 3,
    server_name: 'edge-fra-1',
    is_bind: false,
    ssl_at: null,
    registrar: null,
    is_only_cf: false,
    status: 'add',
    error: null,
    next_stage_at: null,
    ...more,
  };
}

const prompt = page.getByRole('dialog', { name: 'Are you sure?' });
const linkedServers = page.getByRole('list', { name: 'Linked servers' });
const unlinkedServers = page.getByRole('list', { name: 'Servers not linked' });
const restart = page.getByRole('button', { name: 'Restart edge-fra-1' });
const withLink = (more: Partial<CheckDomain>) => ({ app: { ...sampleApp, check_domains: [link(more)] } });

describe('servers of an app', () => {
  it('[DOM-001, DOM-002, DOM-005, CONF-027] are shown in two groups: linked and not linked', async () => {
    await renderEditPage(withLink({ status: 'ok', is_bind: true }));
    await expect.element(linkedServers.getByRole('listitem').getByText('edge-fra-1', { exact: true })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Create edge-ams-1' })).toBeEnabled();
    expect(unlinkedServers.getByRole('listitem').elements()).toHaveLength(2);
  });

  it.each(['ok', 'err_bind', 'err_add', 'err_ssl'] as const)('[DOM-003] can be restarted when %s', async (status) => {
    await renderEditPage(withLink({ status }));
    await expect.element(restart).toBeEnabled();
  });

  it.each(['add', 'bind', 'ssl'] as const)('[DOM-004] cannot be restarted while %s, and say why', async (status) => {
    await renderEditPage(withLink({ status }));
    await expect.element(restart).toBeDisabled();
    await expect.element(restart).toHaveAttribute('title', 'The operation is still running');
  });

  it('[DOM-006, DOM-009, DOM-011, DOM-015, AMB-115, AMB-118] are linked by the saved domain, with a notice of ten seconds', async () => {
    const { calls, server } = await renderEditPage({
      app: sampleApp,
      answer: ({ method, path }) => {
        if (method !== 'POST' || path !== 'app/add-domain') return null;
        server.app = { ...sampleApp, check_domains: [link({ status: 'ok' })] };
        return ok(link({}));
      },
    });
    await page.getByRole('switch', { name: 'Cloudflare only: edge-fra-1' }).click();
    stopClock();
    await page.getByRole('button', { name: 'Create edge-fra-1' }).click();
    await passTime(0);
    await expect.element(page.getByText(linkNotice)).toBeVisible();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ domain: sampleApp.domain, serverId: 3, isOnlyCF: true });
    await passTime(9_900);
    await expect.element(page.getByText(linkNotice)).toBeVisible();
    await passTime(600);
    await expect.element(page.getByText(linkNotice)).not.toBeInTheDocument();
    await expect.element(linkedServers.getByRole('listitem').getByText('edge-fra-1', { exact: true })).toBeVisible();
  });

  it('[DOM-007, DOM-008, DOM-010] are unlinked after a prompt that says what stops working, and move back at once', async () => {
    const { calls, server } = await renderEditPage({
      ...withLink({ status: 'ok' }),
      answer: ({ method }) => {
        if (method !== 'DELETE') return null;
        server.app = { ...sampleApp, check_domains: [] };
        return { status: 204 };
      },
    });
    await page.getByRole('button', { name: 'Remove edge-fra-1' }).click();
    await expect.element(prompt).toMatchTextContent(/edge-fra-1 will stop serving acme-bet\.example/);
    expect(calls.map(({ method }) => method)).not.toContain('DELETE');
    await prompt.getByRole('button', { name: 'OK' }).click();
    await expect.element(page.getByRole('button', { name: 'Create edge-fra-1' })).toBeVisible();
    await expect.element(page.getByText(linkNotice)).toBeVisible();
    expect(calls.find(({ method }) => method === 'DELETE')?.path).toBe('app/add-domain/44');
    await expect.element(page.getByText('This app is not linked to a server yet')).toBeVisible();
  });

  it('[DOM-002, AMB-117] restart by the call that links, with the choice made then', async () => {
    const { calls } = await renderEditPage({
      ...withLink({ status: 'err_ssl', is_only_cf: true }),
      answer: ({ method }) => (method === 'POST' ? ok(link({})) : null),
    });
    await restart.click();
    await expect
      .poll(() => calls.find(({ method }) => method === 'POST')?.body)
      .toEqual({ domain: sampleApp.domain, serverId: 3, isOnlyCF: true });
  });

  it('[DOM-012] carry the error of the server in a warning tooltip', async () => {
    await renderEditPage(withLink({ status: 'err_bind', error: 'edge-fra-1 answered 500' }));
    // Nothing moves any more once the list of servers has come.
    await expect.element(linkedServers.getByText('203.0.113.20')).toBeVisible();
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await linkedServers.getByRole('status').getByText('Error: edge-fra-1 answered 500').hover({ force: true });
    await expect.element(page.getByRole('tooltip')).toHaveTextContent('edge-fra-1 answered 500');
  });

  it('leave the keyboard at the server it acted on, whichever group it is in then', async () => {
    const { server } = await renderEditPage({
      app: sampleApp,
      answer: ({ method }) => {
        if (method === 'GET') return null;
        server.app = { ...sampleApp, check_domains: method === 'POST' ? [link({ status: 'ok' })] : [] };
        return method === 'POST' ? ok(link({})) : { status: 204 };
      },
    });
    const press = async (name: string): Promise<void> => {
      const button = page.getByRole('button', { name });
      await expect.element(button).toBeEnabled();
      const element = button.element();
      if (element instanceof HTMLElement) element.focus();
      await userEvent.keyboard('{Enter}');
    };
    const row = (list: typeof linkedServers) => list.getByRole('listitem').filter({ hasText: 'edge-fra-1' });
    await press('Create edge-fra-1');
    await expect.element(row(linkedServers)).toHaveFocus();
    await press('Remove edge-fra-1');
    await expect.element(prompt.getByRole('button', { name: 'OK' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(row(unlinkedServers)).toHaveFocus();
  });

  it.each([
    ['DOM-016', { ssl_at: null }, 'ssl', 'danger'],
    ['DOM-016', { ssl_at: '2020-01-01 00:00:00' }, 'ssl', 'danger'],
    ['DOM-016', { ssl_at: '2090-01-01 00:00:00' }, 'ssl', 'success'],
    ['DOM-017', { is_bind: true }, 'bind', 'success'],
    ['DOM-017', { is_bind: false, status: 'err_bind' }, 'bind', 'danger'],
  ] as const)('[%s] show %j by the %s icon as %s', async (_id, more, icon, tone) => {
    await renderEditPage(withLink(more));
    await expect.element(linkedServers).toBeVisible();
    expect(linkedServers.element().querySelector(`[data-icon="${icon}"]`)?.getAttribute('data-tone')).toBe(tone);
  });

  it('[DOM-017] that are not added yet say so by their bind icon', async () => {
    await renderEditPage({ app: sampleApp });
    await expect.element(unlinkedServers).toBeVisible();
    expect(unlinkedServers.element().querySelector('[data-icon="bind"]')?.getAttribute('data-tone')).toBe('info');
  });

  it('[AMB-116] are polled every two seconds while one is under way, and not afterwards', async () => {
    const { calls, server } = await renderEditPage(withLink({ status: 'add' }));
    await expect.element(linkedServers.getByText('Adding the domain to the server', { exact: true })).toBeVisible();
    const looks = (): number => calls.filter(({ path }) => path === 'apps/12').length;
    const before = looks();
    server.app = { ...sampleApp, check_domains: [link({ status: 'ssl', is_bind: true })] };
    await expect.element(linkedServers.getByText('Requesting the certificate', { exact: true })).toBeVisible();
    server.app = { ...sampleApp, check_domains: [link({ status: 'ok', is_bind: true, ssl_at: '2090-01-01 00:00:00' })] };
    await expect.element(linkedServers.getByText('Linked', { exact: true })).toBeVisible();
    expect(looks()).toBeGreaterThan(before);
    const after = looks();
    stopClock();
    await passTime(30_000);
    expect(looks()).toBe(after);
  });

  it('keep their last state when it cannot be read again, without a toast every two seconds', async () => {
    let isAway = false;
    await renderEditPage({
      ...withLink({ status: 'bind' }),
      answer: ({ path }) => (isAway && path === 'apps/12' ? refusal(503, 'Database is unavailable, try again') : null),
    });
    await expect.element(linkedServers.getByText('Binding the domain to the server', { exact: true })).toBeVisible();
    isAway = true;
    await expect.element(page.getByText(/The state of the links could not be read again/)).toBeVisible();
    await expect.element(linkedServers.getByText('Binding the domain to the server', { exact: true })).toBeVisible();
    expect(page.getByText(/Database is unavailable/).elements()).toHaveLength(0);
  });

  it('[APPS-073] cut a long registrar, and show it whole in a tooltip', async () => {
    const registrar = `Registrar ${'of many words '.repeat(5)}`.trim();
    await renderEditPage(withLink({ status: 'ok', registrar }));
    const cutName = linkedServers.getByText(`${registrar.slice(0, 33)}...`);
    await expect.element(cutName).toBeVisible();
    await cutName.hover();
    await expect.element(page.getByRole('tooltip')).toHaveTextContent(registrar);
  });

  it('[AMB-116] say when linking is only simulated', async () => {
    await renderEditPage(withLink({ status: 'ok', registrar: 'Simulated' }));
    await expect.element(linkedServers.getByText('Simulated')).toBeVisible();
  });
});

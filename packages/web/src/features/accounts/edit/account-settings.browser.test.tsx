import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { agree, buyerAddress as buyer, save, userAddress as user } from '../testing/edit-account.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { sampleToken } from '../../../testing/sample-token.ts';
import { sampleAccount } from '../testing/sample-account.ts';
import { box, button, field, ok, refusal, renderUsers, writes } from '../testing/render-users.tsx';

describe('settings of an account', () => {
  it('[USER-040, USER-041, USER-043, USER-045, USER-046, USER-047, USER-039] are saved after a prompt, only what changed, by its version', async () => {
    const { calls } = await renderUsers({ address: user });
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Edit user: Pavel Manager');
    expect(
      page
        .getByRole('tab')
        .elements()
        .map((tab) => tab.textContent),
    ).toEqual(['Settings', 'Apps']);
    await expect.element(box('App Manager')).toBeChecked();
    await expect.element(box('Has Access')).toBeChecked();
    await expect.element(field('Password')).toHaveValue('');
    await expect.element(save).toBeDisabled();
    await field('Name').fill('Pavel');
    await box('Log Reviewer').click();
    await save.click();
    await agree('you want to change user data?');
    await expect
      .poll(() => writes(calls))
      .toEqual([
        { method: 'PUT', path: 'users/8', ifMatch: '"v5"', body: { name: 'Pavel', roles: ['App Manager', 'Log Reviewer'], isQa: false } },
      ]);
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Edit user: Pavel');
  });

  it('[USER-026, USER-036, USER-037, USER-038] cannot be saved without name, email or role, nor with an error; the own name is not taken', async () => {
    await renderUsers({ address: user });
    await field('Name').fill('Pavel Manager ');
    expect(page.getByText('*User with this name already exists').elements()).toHaveLength(0);
    for (const label of ['Name', 'Email']) {
      await field(label).fill('');
      await box('Log Reviewer').click();
      await expect.element(save).toBeDisabled();
      await button('Discard').click();
      await expect.element(page.getByText(`These changes are lost: ${label}, Roles.`)).toBeVisible();
      await button('OK').click();
    }
    await box('App Manager').click();
    await expect.element(page.getByText('*Choose at least one role')).toBeVisible();
    await expect.element(save).toBeDisabled();
    await box('Admin').click();
    await expect.element(save).toBeEnabled();
    await field('Password').fill('weak');
    await expect.element(save).toBeDisabled();
  });

  it('[SHELL-077] of an account that was deleted meanwhile keep what is typed until it is discarded', async () => {
    let isDeleted = false;
    const { history } = await renderUsers({
      address: user,
      answer: ({ method, path }) => {
        isDeleted ||= method === 'PUT';
        return isDeleted && path === 'users/8' ? refusal(404, 'Not found') : null;
      },
    });
    await field('Name').fill('Pavel');
    await save.click();
    await agree('you want to change user data?');
    await expect.element(page.getByText(/It was deleted, or you no longer have access to it/)).toBeVisible();
    await expect.element(field('Name')).toHaveValue('Pavel');
    await button('Discard').click();
    await expect.poll(() => history.location.pathname).toBe('/before');
    await expect.element(page.getByText(/There is no such user/)).toBeVisible();
  });

  it('[SHELL-079] discarded after somebody else saved show what is stored by now', async () => {
    let stored = sampleAccount;
    await renderUsers({ address: user, answer: ({ method, path }) => (method === 'GET' && path === 'users/8' ? ok(stored) : null) });
    await field('Name').fill('Pavel');
    stored = { ...sampleAccount, name: 'Pavel Petrov', version: sampleAccount.version + 1 };
    await queryClient.invalidateQueries({ queryKey: ['user', 8] });
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Edit user: Pavel Petrov');
    await expect.element(field('Name')).toHaveValue('Pavel');
    await button('Discard').click();
    await expect.element(field('Name')).toHaveValue('Pavel Petrov');
  });

  it('[USER-049, AMB-168] lock the email for all but admins', async () => {
    await renderUsers({ address: user, reader: { roles: ['App Manager'], badges: ['M'] } });
    await expect.element(field('Email')).toHaveAttribute('readonly');
    await expect
      .element(button('Help: Email changes are allowed for ADMIN and SUPER ADMIN. A new address signs the person out everywhere'))
      .toBeVisible();
  });

  it('[USER-048, USER-050] explain the roles, and advise one only', async () => {
    await renderUsers({ address: user });
    for (const text of [
      'S super admin (all functions, creates other super admins and any users). Only a super admin can change a super admin',
      'A admin (almost all functions, creates admins and users)',
      'M app manager (creates and partly edits apps, assigns them, creates buyers)',
      'T log reviewer (reviews Events, Pushes, Conversion)',
      'Choosing only one role is advised',
    ]) {
      await expect.element(button(`Help: ${text}`)).toBeVisible();
    }
  });

  it('[USER-044] show no password where people sign in with Google only', async () => {
    await renderUsers({ address: user, loginMethods: 'google' });
    await expect.element(field('Name')).toBeVisible();
    expect(field('Password').elements()).toHaveLength(0);
  });

  it('say at once when the account may not be changed, and lock what concerns the own one', async () => {
    await renderUsers({ address: user, user: { ...sampleAccount, isSuperAdmin: true } });
    await expect.element(page.getByRole('region', { name: 'Save' }).getByText('Only a super admin can change a super admin')).toBeVisible();
    await expect.element(field('Name')).toHaveAttribute('readonly');
    await expect.element(box('Admin')).toBeDisabled();
  });

  it('[AMB-188] of the own account keep access and roles', async () => {
    await renderUsers({ address: user, reader: { id: 8 } });
    await expect.element(box('Has Access')).toBeDisabled();
    await expect.element(box('App Manager')).toBeDisabled();
    await expect.element(field('Name')).not.toHaveAttribute('readonly');
  });

  it('a conflict shows both sides and saves mine over theirs (api 0.9, O16)', async () => {
    const theirs = { ...sampleAccount, name: 'Theirs', hasAccess: false, version: 6 };
    const { calls } = await renderUsers({
      address: user,
      answer: ({ method, ifMatch }) => {
        if (method !== 'PUT') return null;
        return ifMatch === '"v5"'
          ? refusal(412, 'Changed by someone else', { data: { current: theirs } })
          : ok({ ...theirs, name: 'Mine', version: 7 });
      },
    });
    await field('Name').fill('Mine');
    await save.click();
    await agree('you want to change user data?');
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this user' });
    await expect.poll(() => dialog.getByRole('row', { name: /Name/ }).element().textContent).toMatch(/Pavel ManagerTheirsMine/);
    await expect.poll(() => dialog.getByRole('row', { name: /Has Access/ }).element().textContent).toMatch(/yesnonot changed/);
    await dialog.getByRole('button', { name: 'Save mine over it' }).click();
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Edit user: Mine');
    expect(writes(calls).at(-1)).toMatchObject({ ifMatch: '"v6"', body: { name: 'Mine' } });
    await expect.element(box('Has Access')).not.toBeChecked();
  });

  it('[IDN-030] show what the roles add up to with their origin, the sessions, the last activity and the second factors', async () => {
    const factor = { id: 4, kind: 'totp', created_at: '2026-11-19 10:00:00', last_used_at: '2026-11-20 07:00:00' };
    const session = {
      id: 3,
      created_at: '2026-11-20 10:00:00',
      last_used_at: '2026-11-21 08:00:00',
      expires_at: '2026-11-21 22:00:00',
      ip: '203.0.113.9',
      user_agent: 'curl/8.5.0',
      current: false,
    };
    await renderUsers({
      address: user,
      answer: ({ path }) => {
        if (path === 'users/8/sessions') return ok({ last_active_at: '2026-11-21 08:00:00', sessions: [session] });
        if (path === 'users/8/second-factors') return ok({ factors: [factor], required: true });
        if (path !== 'users/8/permissions') return null;
        return ok([{ id: 2, label: 'manager_app_create', description: 'Create apps', roles: ['Admin', 'App Manager'] }]);
      },
    });
    await page.getByText(/^App 1$/).click();
    await expect.element(page.getByText('from Admin, App Manager')).toBeVisible();
    await expect.element(page.getByText('manager_app_create')).toBeVisible();
    await expect
      .poll(() => page.getByRole('list', { name: 'Sessions' }).element().textContent)
      .toMatch(/curl 8.*203\.0\.113\.9.*21\.11\.2026/);
    await expect.element(page.getByText(/Last activity:/)).toHaveTextContent('Last activity: 21.11.2026 08:00:00');
    const factors = page.getByRole('list', { name: 'Second factors' });
    await expect.poll(() => factors.element().textContent).toMatch(/Authenticator app.*last used 20\.11\.2026 07:00:00/);
  });

  it('[IDN-114] list the API tokens of the account and revoke one after a prompt', async () => {
    let tokens = [
      { ...sampleToken, expires_soon: true, last_used_at: null, last_used_ip: null },
      { ...sampleToken, id: 2, name: 'Edge', kind: 'service', expires_at: null },
    ];
    const { calls } = await renderUsers({
      address: user,
      answer: ({ method, path }) => {
        if (path === 'users/8/tokens') return ok(tokens);
        if (method !== 'DELETE') return null;
        tokens = tokens.filter(({ id }) => id !== 1);
        return { status: 204 };
      },
    });
    const list = page.getByRole('list', { name: 'API tokens' });
    await expect.poll(() => list.element().textContent).toMatch(/DeploymentExpires soon.*All apps\. Expires 20\.11\.2027 .*, never used\./);
    await expect.poll(() => list.element().textContent).toMatch(/EdgeService account.*Never expires, last used 21\.11\.2026/);
    expect(button('Revoke Edge').elements()).toHaveLength(0);
    await button('Revoke Deployment').click();
    await page.getByRole('dialog', { name: 'Revoke Deployment?' }).getByRole('button', { name: 'OK' }).click();
    await expect.element(page.getByText(/Deployment has been revoked/)).toBeVisible();
    await expect.element(button('Revoke Deployment')).not.toBeInTheDocument();
    expect(writes(calls)).toMatchObject([{ method: 'DELETE', path: 'tokens/1' }]);
  });

  it('[IDN-114] reload the API tokens after the second factors were reset, which revokes them', async () => {
    const factor = { id: 4, kind: 'totp', created_at: '2026-11-19 10:00:00', last_used_at: null };
    let isReset = false;
    await renderUsers({
      address: user,
      answer: ({ method, path }) => {
        if (method === 'DELETE') isReset = true;
        if (method === 'DELETE') return { status: 204 };
        if (path === 'users/8/tokens') return ok(isReset ? [] : [sampleToken]);
        return path === 'users/8/second-factors' ? ok({ factors: isReset ? [] : [factor], required: false }) : null;
      },
    });
    await expect.element(button('Revoke Deployment')).toBeVisible();
    await button('Reset second factors').click();
    await page.getByRole('button', { name: 'OK' }).click();
    await expect.element(page.getByText('The account has no API tokens.')).toBeVisible();
  });

  const sessionOf = (id: number, ip: string) => {
    const at = '2026-11-21 08:00:00';
    return { id, created_at: at, last_used_at: at, expires_at: at, ip, user_agent: 'curl/8.5.0', current: id === 3 };
  };
  const endOf = (ip: string) => button(`End session on curl 8, ${ip}`);

  it('[IDN-079] show the state of an invitation, and invite again or withdraw it', async () => {
    const expires_at = '2026-11-26 10:00:00';
    let invitation: object = { state: 'pending', expires_at, mail: 'failed' };
    const { calls } = await renderUsers({
      address: user,
      answer: ({ method, path }) => {
        if (path !== 'users/8/invitation') return null;
        if (method === 'DELETE') invitation = { state: 'withdrawn', expires_at: null, mail: null };
        if (method === 'POST') invitation = { state: 'pending', expires_at, mail: null };
        if (method === 'DELETE') return { status: 204 };
        return ok(
          method === 'GET' ? invitation : { ...invitation, link: 'https://console.example/invitation#x' },
          method === 'GET' ? 200 : 201,
        );
      },
    });
    await expect.element(page.getByText(/could not be sent. Check the address, then send it again/)).toBeVisible();
    await button('Withdraw').click();
    await page.getByRole('dialog', { name: 'Withdraw the invitation?' }).getByRole('button', { name: 'OK' }).click();
    await expect.element(page.getByText(/There is no link/)).toBeVisible();
    expect(button('Withdraw').elements()).toHaveLength(0);
    await button('Invite again').click();
    await expect
      .element(page.getByRole('dialog', { name: 'Invitation link' }).getByRole('textbox'))
      .toHaveValue('https://console.example/invitation#x');
    await button('Done').click();
    await expect.element(page.getByText(/The link works until 26.11.2026/)).toBeVisible();
    expect(writes(calls).map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE users/8/invitation', 'POST users/8/invitation']);
  });

  it('[IDN-079] of an account in use say nothing of an invitation', async () => {
    const { calls } = await renderUsers({
      address: user,
      answer: ({ path }) => (path === 'users/8/invitation' ? ok({ state: 'none', expires_at: null, mail: null }) : null),
    });
    await expect.element(page.getByText('Effective permissions')).toBeVisible();
    await expect.poll(() => calls.some(({ path }) => path === 'users/8/invitation')).toBe(true);
    // By the time that the page reacts again, the answer has been shown.
    await userEvent.click(page.getByText('Effective permissions'));
    expect(page.getByText('Nobody has set a password for this account yet.').elements()).toHaveLength(0);
  });

  it('[S6] end one session after a prompt, except the reader’s own', async () => {
    let remainingSessions = [sessionOf(3, '203.0.113.9'), sessionOf(4, '203.0.113.10'), sessionOf(5, '203.0.113.11')];
    const { calls } = await renderUsers({
      address: user,
      answer: ({ method, path }) => {
        if (path === 'users/8/sessions') return ok({ last_active_at: null, sessions: remainingSessions });
        if (method !== 'DELETE') return null;
        remainingSessions = remainingSessions.filter(({ id }) => !path.endsWith(`/${id}`));
        return { status: 204 };
      },
    });
    await expect.element(endOf('203.0.113.11')).toBeVisible();
    expect(endOf('203.0.113.9').elements()).toHaveLength(0);
    await endOf('203.0.113.10').click();
    const prompt = page.getByRole('dialog', { name: 'End this session?' });
    await expect.element(prompt.getByText(/Pavel Manager will have to sign in again there/)).toBeVisible();
    await prompt.getByRole('button', { name: 'OK' }).click();
    await expect.element(page.getByText(/The session of Pavel Manager on curl 8 has ended/)).toBeVisible();
    await expect.element(endOf('203.0.113.10')).not.toBeInTheDocument();
    await expect.element(endOf('203.0.113.11')).toBeVisible();
    expect(writes(calls)).toMatchObject([{ method: 'DELETE', path: 'users/8/sessions/4' }]);
  });

  it.each([
    ['without the permission', { permissions: ['manager_user_edit'] }],
    ['of a super admin', { user: { ...sampleAccount, isSuperAdmin: true } }],
  ] as const)('[S6] [S7] offer no end of a session %s', async (_what, options) => {
    await renderUsers({
      address: user,
      ...options,
      answer: ({ path }) => (path === 'users/8/sessions' ? ok({ last_active_at: null, sessions: [sessionOf(4, '203.0.113.10')] }) : null),
    });
    await expect.element(page.getByText('203.0.113.10')).toBeVisible();
    expect(endOf('203.0.113.10').elements()).toHaveLength(0);
  });

  it.each([
    ['USER-042, ERR-029', user, 404, '/users/8', 'There is no such user'],
    ['USER-042', user, 503, '/users/8', 'Not now'],
    ['BUY-013, ERR-029', buyer, 404, '/buyers/31', 'There is no such buyer'],
  ])('[%s] that cannot be loaded go back one step: %s, %d', async (_id, address, status, path, message) => {
    const { history } = await renderUsers({
      address,
      answer: (call) => (call.method === 'GET' && `/${call.path}` === path ? refusal(status, 'Not now') : null),
    });
    await expect.poll(() => history.location.pathname).toBe('/before');
    await expect.element(page.getByTestId('notification')).toHaveTextContent(`Error: ${message}`);
  });
});

import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sampleAccount, sampleBuyer } from '../testing/sample-account.ts';
import { box, button, field, ok, refused, renderUsers, writes } from '../testing/render-users.tsx';

const save = button('Save');
const user = '/users/8/edit';
const buyer = '/users/buyers/31/edit';
const buyerAccount = { ...sampleBuyer, roles: ['Buyer'], badges: ['B'], appIds: [12, 14] };

async function agree(text: string): Promise<void> {
  const prompt = page.getByRole('dialog', { name: 'Are you sure', exact: true });
  await expect.element(prompt.getByText(text)).toBeVisible();
  await prompt.getByRole('button', { name: 'OK' }).click();
  await expect.element(prompt).not.toBeInTheDocument();
}

describe('settings of an account', () => {
  it('[USER-040, USER-041, USER-043, USER-045, USER-046, USER-047, USER-039] are saved after a prompt, only what changed, by its version', async () => {
    const { calls } = await renderUsers({
      address: user,
      answer: ({ method, path }) => (method === 'PUT' && path === 'users/8' ? ok({ ...sampleAccount, name: 'Pavel', version: 6 }) : null),
    });
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
    }
    await box('App Manager').click();
    await expect.element(page.getByText('*Choose at least one role')).toBeVisible();
    await expect.element(save).toBeDisabled();
    await box('Admin').click();
    await expect.element(save).toBeEnabled();
    await field('Password').fill('weak');
    await expect.element(save).toBeDisabled();
  });

  it('[USER-049, AMB-168] lock the email for all but admins', async () => {
    await renderUsers({ address: user, reader: { roles: ['App Manager'], badges: ['M'] } });
    await expect.element(field('Email')).toHaveAttribute('readonly');
    await expect.element(button('Help: Email changes are allowed for ADMIN and SUPER ADMIN')).toBeVisible();
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
          ? refused(412, 'Changed by someone else', { data: { current: theirs } })
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

  it('show what the roles add up to with their origin, the sessions and the last activity', async () => {
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
  });

  it.each([
    ['USER-042, ERR-029', user, 404, '/users/8'],
    ['USER-042', user, 503, '/users/8'],
    ['BUY-013, ERR-029', buyer, 404, '/buyers/31'],
  ])('[%s] that cannot be loaded go back one step: %s, %d', async (_id, address, status, path) => {
    const { history } = await renderUsers({
      address,
      answer: (call) => (call.method === 'GET' && `/${call.path}` === path ? refused(status, 'Not now') : null),
    });
    await expect.poll(() => history.location.pathname).toBe('/before');
    await expect.element(page.getByText(/could not be loaded: Not now/)).toBeVisible();
  });
});

describe('apps of a staff account', () => {
  const apps = `${user}?startTabName=Apps`;
  const saveChanges = button('Save changes');

  it('[USER-051, USER-052, USER-053, USER-055, USER-056] are chosen and removed here, and saved as the final set', async () => {
    const { calls } = await renderUsers({
      address: apps,
      answer: ({ method }) => (method === 'POST' ? ok({ ...sampleAccount, appIds: [14, 15], version: 6 }) : null),
    });
    await expect.element(page.getByRole('table', { name: 'Apps' })).toBeVisible();
    expect(
      page
        .getByRole('columnheader')
        .elements()
        .map((cell) => cell.textContent),
    ).toEqual(['Bundle', 'Action']);
    await expect.element(page.getByRole('row', { name: /Acme Bet/ })).toHaveTextContent('com.acme.bet(Acme Bet)');
    await expect.element(saveChanges).toBeDisabled();
    await page.getByRole('combobox', { name: 'select app' }).click();
    await expect
      .poll(() =>
        page
          .getByRole('option')
          .elements()
          .map((option) => option.textContent),
      )
      .toEqual(['App 15 (com.app15.x)']);
    await page.getByRole('option', { name: /App 15/ }).click();
    await button('Remove Acme Bet').click();
    expect(writes(calls)).toEqual([]);
    await saveChanges.click();
    await agree('Do you want to save changes?');
    await expect.poll(() => writes(calls)).toMatchObject([{ method: 'POST', path: 'users/8/sync-apps', body: { appIds: [14, 15] } }]);
  });

  it('[USER-054, USER-057] without apps say that the user has access to all of them', async () => {
    await renderUsers({ address: apps, user: { ...sampleAccount, hasAllApps: true, appIds: [], apps: [] } });
    await expect.element(page.getByText('The user has access to all apps')).toBeVisible();
    await expect.element(saveChanges).toBeDisabled();
  });

  it('[USER-057, O3] warn before an account gets access to all apps', async () => {
    const { calls } = await renderUsers({
      address: apps,
      answer: ({ method }) => (method === 'POST' ? ok({ ...sampleAccount, appIds: [], apps: [], hasAllApps: true, version: 6 }) : null),
    });
    await button('Remove Acme Bet').click();
    await button('Remove Goal Rush').click();
    await expect.element(page.getByText(/Saved without apps, the user gets access to all apps/)).toBeVisible();
    await saveChanges.click();
    await expect.element(page.getByText(/Attention: Pavel Manager will have access to all apps/)).toBeVisible();
    await agree('Do you want to save changes?');
    await expect.poll(() => writes(calls)).toMatchObject([{ body: { appIds: [] } }]);
    await expect.element(page.getByText('The user has access to all apps')).toBeVisible();
  });

  it('[O3] cannot be all of them when the reader does not see all himself', async () => {
    await renderUsers({ address: apps, reader: { hasAllApps: false } });
    await button('Remove Acme Bet').click();
    await button('Remove Goal Rush').click();
    await expect.element(page.getByText('You cannot grant access to all apps')).toBeVisible();
    await expect.element(saveChanges).toBeDisabled();
  });
});

describe('apps and streams of a buyer', () => {
  const apps = `${buyer}?startTabName=Apps`;
  const saveChanges = button('Save changes');

  it('[BUY-011, BUY-012, BUY-016, BUY-017, BUY-018, BUY-019, BUY-020, BUY-021, AMB-183] marks apps, restores them, and removes them together after one prompt', async () => {
    const { calls } = await renderUsers({
      address: apps,
      answer: ({ method, ifMatch }) => {
        if (method !== 'PUT') return null;
        const current = { ...buyerAccount, app_ids: [12, 14, 15], appIds: [12, 14, 15], version: 9 };
        return ifMatch === '"v9"' ? ok({ ...current, version: 10 }) : refused(412, 'Changed by someone else', { data: { current } });
      },
    });
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Edit buyer: Ivan Buyer');
    expect(
      page
        .getByRole('tab')
        .elements()
        .map((tab) => tab.textContent),
    ).toEqual(['Settings', 'Apps', 'Streams']);
    await expect.element(saveChanges).toBeDisabled();
    await button('Remove Acme Bet').click();
    const row = page.getByRole('row', { name: /Acme Bet/ });
    await expect.element(row).toHaveAttribute('data-mark', 'removed');
    const colour = (name: RegExp): string => getComputedStyle(page.getByRole('row', { name }).element()).backgroundColor;
    expect(colour(/Acme Bet/)).not.toBe(colour(/Goal Rush/));
    await button('Restore Acme Bet').click();
    await expect.element(row).not.toHaveAttribute('data-mark');
    await expect.element(saveChanges).toBeDisabled();
    await button('Remove Acme Bet').click();
    await saveChanges.click();
    await agree('you want to deny the user access to this application?');
    // What somebody else added meanwhile stays.
    await expect
      .poll(() => writes(calls).map(({ path, body }) => [path, body]))
      .toEqual([
        ['buyers/31', { app_ids: [14] }],
        ['buyers/31', { app_ids: [14, 15] }],
      ]);
  });

  it('[BUY-022, AMB-192] says that there are no apps', async () => {
    await renderUsers({ address: apps, buyer: { ...buyerAccount, appIds: [], apps: [] } });
    await expect.element(page.getByText('User Ivan Buyer has no available apps')).toBeVisible();
    await expect.element(saveChanges).toBeDisabled();
  });

  it('[BUY-014, BUY-015, BUY-034] has settings with the roles of its panel', async () => {
    const { calls } = await renderUsers({
      address: buyer,
      answer: ({ method }) => (method === 'PUT' ? ok({ ...buyerAccount, app_ids: [12, 14], version: 6 }) : null),
    });
    for (const text of ['B buyer', 'QA tester', 'SB super buyer (sees all streams)']) {
      await expect.element(button(`Help: ${text}`)).toBeVisible();
    }
    await box('Buyer').click();
    await box('QA').click();
    await save.click();
    await agree('you want to change user data?');
    await expect.poll(() => writes(calls)).toMatchObject([{ path: 'buyers/31', body: { roles: ['QA'], isQa: true } }]);
  });

  const stream = {
    uid: 'st_7f21',
    name: 'A name of twenty-five chs',
    bundle: 'com.acme.bet',
    rules: { country: ['DE', 'AT'] },
    offer: 'https://offer.example/x?a=1',
    level_cloaking: 'organic',
    created_at: '2026-10-01 00:00:00',
    updated_at: '2026-10-05 00:00:00',
  };
  const paged = (rows: object[]) => ({
    status: 200,
    body: {
      success: true,
      data: rows,
      pagination: {
        total: rows.length,
        count: rows.length,
        limit: 20,
        currentPage: 1,
        totalPages: 1,
        current_page: 1,
        last_page: 1,
        links: [],
        prev_cursor: null,
        next_cursor: null,
      },
    },
  });

  it('[BUY-023, BUY-024, BUY-025, BUY-026, BUY-027, BUY-028, BUY-029, BUY-030, BUY-031, AMB-191] shows streams with their texts', async () => {
    const second = {
      ...stream,
      uid: 'st_2',
      name: 'A name of twenty-four ch',
      offer: 'no address',
      level_cloaking: null,
      rules: { country: [] },
    };
    await renderUsers({
      address: `${buyer}?startTabName=Streams`,
      answer: ({ path }) =>
        path === 'buyers/31/streams/list' ? paged([stream, second, { ...second, uid: 'st_3', offer: null, level_cloaking: 'hard' }]) : null,
    });
    await expect.element(page.getByRole('row', { name: /st_3/ })).toBeVisible();
    expect(
      page
        .getByRole('columnheader')
        .elements()
        .map((cell) => cell.textContent.trim()),
    ).toEqual(['#', 'Stream name', 'Bundle', 'Country', 'Offer', 'Level cloaking', 'Created', 'Updated']);
    const texts = (uid: string): (string | null)[] =>
      [
        ...page
          .getByRole('row', { name: new RegExp(uid) })
          .element()
          .querySelectorAll('td'),
      ].map((cell) => cell.textContent);
    expect(texts('st_7f21').slice(1)).toEqual([
      'A name of twenty-five ...',
      'com.acme.bet',
      'DE, AT',
      'offer.example',
      'organic & ads',
      '01.10.2026 00:00:00',
      '05.10.2026 00:00:00',
    ]);
    expect(texts('st_2').slice(1, 6)).toEqual(['A name of twenty-four ch', 'com.acme.bet', '-', 'no address', '-']);
    expect(texts('st_3').slice(3, 6)).toEqual(['-', '-', 'hard']);
    await expect.element(button('Copy the key st_7f21')).toBeVisible();
  });

  it('[BUY-032] says that there are no streams', async () => {
    await renderUsers({
      address: `${buyer}?startTabName=Streams`,
      answer: ({ path }) => (path === 'buyers/31/streams/list' ? paged([]) : null),
    });
    await expect.element(page.getByText('User Ivan Buyer has no available streams')).toBeVisible();
  });
});

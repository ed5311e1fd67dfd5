import type { RolePreview } from '@switchyard/contract/roles';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sessionStore } from '../../shared/session/session-store.ts';
import { unsavedWork } from '../../shared/unsaved-work.ts';
import {
  type Answer,
  invalid,
  ok,
  permissionRows,
  refusal,
  renderRoles,
  roleOf,
  savedRole,
  trafficReviewer,
} from './testing/render-roles.tsx';

const title = page.getByLabelText('Title', { exact: true });
const box = (label: string) => page.getByRole('checkbox', { name: label, exact: true });
const create = page.getByRole('button', { name: 'Create', exact: true });
const save = page.getByRole('button', { name: 'Save', exact: true });
const editPath = `/roles/user/${trafficReviewer.id}/edit`;
const newRole = ['/roles', '/roles/create-user'];
const existing = ['/roles', editPath];
const groups = (): (string | null)[] =>
  page
    .getByRole('group', { name: 'Permissions' })
    .getByRole('group')
    .elements()
    .map((group) => group.getAttribute('aria-label'));

describe('form of a role', () => {
  it('[ROLE-012, ROLE-013, ROLE-014, ROLE-015] has a title, and the permissions by category with label and description', async () => {
    await renderRoles({ addresses: newRole });
    await expect.element(title).toHaveValue('');
    await expect.poll(groups).toEqual(['App', 'Settings', 'User', 'Dev']);
    const dev = page.getByRole('group', { name: 'Dev' });
    const names = dev
      .getByRole('checkbox')
      .elements()
      .map((input) => input.getAttribute('aria-label') ?? input.id);
    expect(names).toHaveLength(4);
    for (const { label, description } of permissionRows.filter(({ panel }) => panel === 'user')) {
      await expect.element(box(label)).toHaveAccessibleDescription(description ?? '');
    }
  });

  it('[PERMX-005] shows the plain name of a permission first, its label second, and a click on either chooses it', async () => {
    await renderRoles({ addresses: newRole });
    const name = page.getByText('Archive and restore apps');
    const label = page.getByText('manager_app_delete', { exact: true });
    await expect.element(name).toBeVisible();
    const bottomOfName = name.element().getBoundingClientRect().bottom;
    expect(bottomOfName).toBeLessThanOrEqual(label.element().getBoundingClientRect().top + 1);
    await name.click();
    await expect.element(box('manager_app_delete')).toBeChecked();
    await label.click();
    await expect.element(box('manager_app_delete')).not.toBeChecked();
  });

  it('[ROLE-003, ROLE-029, API-042, PERM-058] of a buyer role offers the permissions of buyers', async () => {
    const { calls } = await renderRoles({ addresses: ['/roles/create-buyer'] });
    await expect.poll(groups).toEqual(['Stream', 'Push', 'Statistics']);
    expect(calls.map(({ path }) => path)).toEqual(['permissions/buyers/list']);
  });

  it('[ROLE-023, ROLE-024] creates only with a title that is not blank and a permission', async () => {
    await renderRoles({ addresses: newRole });
    await expect.element(create).toBeDisabled();
    await expect.element(page.getByText('Still needed: Title, at least one permission')).toBeVisible();
    await title.fill('Reader');
    await expect.element(create).toBeDisabled();
    await expect.element(page.getByText('Still needed: at least one permission')).toBeVisible();
    await box('manager_dev_logs').click();
    await expect.element(create).toBeEnabled();
    await title.fill('   ');
    await expect.element(create).toBeDisabled();
    await title.fill('Reader');
    await box('manager_dev_logs').click();
    await expect.element(create).toBeDisabled();
  });

  it.each([
    ['user', 'manager', 'manager_dev_logs', 18],
    ['buyer', 'buyer', 'buyer_push_view', 27],
  ] as const)(
    '[ROLE-019, ROLE-025, AMB-161, API-034] of a %s sends panel %s and opens the new role',
    async (panel, sentPanel, label, id) => {
      const createdRole = roleOf({ id: 12, name: 'Reader', badge: 'R', panel }, [label]);
      const { calls, history } = await renderRoles({
        addresses: ['/roles', `/roles/create-${panel}`],
        answer: ({ method, path }) => (method === 'POST' ? ok(createdRole, 201) : path === 'roles/12' ? ok(createdRole) : null),
      });
      await title.fill(' Reader ');
      await box(label).click();
      await create.click();
      await expect.element(page.getByText(/Role "Reader" created/)).toBeVisible();
      await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('Edit role: Reader');
      expect(history.location.pathname).toBe(`/roles/${panel}/12/edit`);
      expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'Reader', permission_ids: [id], panel: sentPanel });
      history.back();
      await expect.poll(() => history.location.pathname).toBe('/roles');
    },
  );

  it('[ROLE-016, ROLE-020, ROLE-021, ROLE-022, API-035] saves only what changed and could be stored', async () => {
    const { calls } = await renderRoles({ addresses: existing });
    await expect.element(title).toHaveValue('Traffic reviewer');
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toContain('GET roles/11');
    await expect.element(save).toBeDisabled();
    await title.fill('Traffic reader');
    await expect.element(save).toBeEnabled();
    await title.fill('  ');
    await expect.element(save).toBeDisabled();
    await title.fill('Traffic reviewer');
    await expect.element(save).toBeDisabled();
    await box('manager_app_pushes').click();
    await expect.element(save).toBeEnabled();
    await box('manager_app_pushes').click();
    await expect.element(save).toBeDisabled();
    await box('manager_app_edit').click();
    await box('manager_app_requests').click();
    await expect.element(save).toBeDisabled();
    expect(unsavedWork.isHeld()).toBe(true);
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.element(box('manager_app_edit')).toBeChecked();
    expect(unsavedWork.isHeld()).toBe(false);
  });

  it('[ROLE-018, ROLE-026, API-036] sends name and permissions with the version, then goes back one page', async () => {
    const { calls, history } = await renderRoles({ addresses: ['/before', editPath] });
    await title.fill('Reader');
    await box('manager_app_view_all').click();
    await save.click();
    await expect.poll(() => history.location.pathname).toBe('/before');
    await expect.element(page.getByText(/Role "Reader" saved/)).toBeVisible();
    expect(calls.find(({ method }) => method === 'PUT')).toEqual({
      method: 'PUT',
      path: 'roles/11',
      body: { name: 'Reader', permission_ids: [1, 3, 6] },
      ifMatch: '"v4"',
    });
  });

  it('[AMB-021] reads the own permissions again when a custom role of the account gets another name', async () => {
    await renderRoles({
      addresses: ['/before', editPath],
      answer: ({ path }) =>
        path === 'sanctum/user' ? ok({ ...sessionStore.get()?.user, roles: ['Reader'], permissions: ['manager_app_edit'] }) : null,
    });
    await title.fill('Reader');
    await box('manager_app_requests').click();
    await save.click();
    await expect.poll(() => sessionStore.get()?.user.permissions).toEqual(['manager_app_edit']);
    expect(sessionStore.get()?.user.roles).toEqual(['Reader']);
  });

  it('[AMB-038] goes to the list of its panel when there is no page before', async () => {
    const { history } = await renderRoles({ addresses: [editPath] });
    await title.fill('Reader');
    await save.click();
    await expect.poll(() => history.location.href).toBe('/roles?startTabName=Users+roles');
  });

  it.each([
    ['roles/999', '/roles/user/999/edit', refusal(404, 'Not found')],
    ['roles/11', editPath, refusal(503, 'Database is unavailable, try again')],
  ])('[ROLE-017, ERR-028] goes back one page when %s cannot be loaded', async (path, address, failure) => {
    const { history } = await renderRoles({ addresses: ['/before', address], answer: (call) => (call.path === path ? failure : null) });
    await expect.poll(() => history.location.pathname).toBe('/before');
  });

  it('goes back from an address that names no role, and leads a role of the other panel to its own', async () => {
    const { history } = await renderRoles({ addresses: ['/before', '/roles/user/abc/edit'] });
    await expect.poll(() => history.location.pathname).toBe('/before');
    history.push('/roles/user/6/edit');
    await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('Edit role: QA');
    expect(history.location.pathname).toBe('/roles/buyer/6/edit');
  });

  it('[SHELL-079] keeps what is typed while it is saved as unsaved, and stays', async () => {
    const answer = Promise.withResolvers<Answer>();
    const { calls, history } = await renderRoles({
      addresses: ['/before', editPath],
      answer: ({ method, ifMatch }) => {
        if (method !== 'PUT') return null;
        return ifMatch === '"v4"' ? answer.promise : ok({ ...savedRole(trafficReviewer, { name: 'Reader of logs' }), version: 6 });
      },
    });
    await title.fill('Reader');
    await save.click();
    await expect.poll(() => calls.some(({ method }) => method === 'PUT')).toBe(true);
    await title.fill('Reader of logs');
    answer.resolve(ok(savedRole(trafficReviewer, { name: 'Reader' })));
    await expect.element(page.getByText(/Role "Reader" saved/)).toBeVisible();
    await expect.element(title).toHaveValue('Reader of logs');
    await expect.element(page.getByText('Not saved: Title')).toBeVisible();
    expect([history.location.pathname, unsavedWork.isHeld()]).toEqual([editPath, true]);
    await save.click();
    await expect
      .poll(() => calls.findLast(({ method }) => method === 'PUT'))
      .toMatchObject({ ifMatch: '"v5"', body: { name: 'Reader of logs' } });
    await expect.poll(() => history.location.pathname).toBe('/before');
  });

  it('[SHELL-079] of a new role saves what is typed while it is created over the created one', async () => {
    const answer = Promise.withResolvers<Answer>();
    const created = roleOf({ id: 12, name: 'Reader', badge: 'R', panel: 'user' }, ['manager_dev_logs']);
    const { calls } = await renderRoles({
      addresses: newRole,
      answer: ({ method, path }) =>
        method === 'POST'
          ? answer.promise
          : method === 'PUT'
            ? ok(savedRole(created, { name: 'Reader of logs' }))
            : path === 'roles/12'
              ? ok(created)
              : null,
    });
    await title.fill('Reader');
    await box('manager_dev_logs').click();
    await create.click();
    await expect.poll(() => calls.some(({ method }) => method === 'POST')).toBe(true);
    await title.fill('Reader of logs');
    answer.resolve(ok(created, 201));
    await expect.element(page.getByText(/Role "Reader" created/)).toBeVisible();
    await expect.element(page.getByText('Not saved: Title')).toBeVisible();
    await save.click();
    await expect
      .poll(() => calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`))
      .toEqual(['POST roles', 'PUT roles/12']);
  });

  const readerOfLogs = roleOf({ id: 12, name: 'Reader', badge: 'R', panel: 'user' }, ['manager_dev_logs']);
  const formerRole = { ...readerOfLogs, name: 'Former', label: 'Former' };
  it.each([
    ['POST', newRole, ok(readerOfLogs, 201)],
    ['PUT', ['/roles', '/roles/user/12/edit'], ok(savedRole(readerOfLogs, {}))],
  ] as const)(
    '[SHELL-080] that was left while it was saved with %s takes the reader off no other page',
    async (method, addresses, saved) => {
      const answer = Promise.withResolvers<Answer>();
      const { calls, history } = await renderRoles({
        addresses: [...addresses],
        answer: (call) => (call.method === method ? answer.promise : call.path === 'roles/12' ? ok(formerRole) : null),
      });
      await title.fill('Reader');
      if (method === 'POST') await box('manager_dev_logs').click();
      await page.getByRole('button', { name: /^(Create|Save)$/ }).click();
      await expect.poll(() => calls.some((call) => call.method === method)).toBe(true);
      history.push('/before');
      await expect.element(title).not.toBeInTheDocument();
      answer.resolve(saved);
      await expect.element(page.getByText(/Role "Reader" (created|saved)/)).toBeVisible();
      expect(history.location.pathname).toBe('/before');
    },
  );

  const deletedText = 'It was deleted, or you no longer have access to it. Copy what you want to keep.';
  it.each([
    [403, 'You cannot grant permissions you do not have', 'You cannot grant permissions you do not have'],
    [404, 'Not found', deletedText],
  ])('[SHELL-077] says why a save failed with %d, and keeps the input', async (status, message, text) => {
    await renderRoles({ addresses: ['/before', editPath], answer: ({ method }) => (method === 'PUT' ? refusal(status, message) : null) });
    await title.fill('Reader');
    await save.click();
    await expect.element(page.getByRole('region', { name: 'Save' })).toMatchTextContent(text);
    await expect.element(title).toHaveValue('Reader');
    expect(unsavedWork.isHeld()).toBe(true);
  });

  it('[SHELL-082] says that it is unknown whether a save without an answer was carried out', async () => {
    await renderRoles({
      addresses: ['/before', editPath],
      answer: ({ method }) => (method === 'PUT' ? Promise.reject(new TypeError('Failed to fetch')) : null),
    });
    await title.fill('Reader');
    await save.click();
    await expect.element(page.getByRole('region', { name: 'Save' })).toMatchTextContent(/unknown whether this was carried out/);
    await expect.element(title).toHaveValue('Reader');
  });

  it('[AMB-187, AMB-188] shows an error of the server at its field until it is edited', async () => {
    let rejection = invalid('name', 'The role name is already used.');
    await renderRoles({ addresses: existing, answer: ({ method }) => (method === 'PUT' ? rejection : null) });
    await title.fill('Admin');
    await save.click();
    await expect.element(title).toHaveAccessibleDescription('The role name is already used.');
    await expect.element(title).toHaveFocus();
    await expect.element(save).toBeDisabled();
    rejection = invalid('permission_ids', 'You cannot remove your own access to roles');
    await title.fill('Admins');
    await save.click();
    const all = page.getByRole('group', { name: 'Permissions' });
    await expect.element(box('manager_settings_roles')).toHaveAccessibleDescription(/^You cannot remove your own access to roles/);
    await expect.element(all).toHaveAccessibleDescription('');
    expect(page.getByText('You cannot remove your own access to roles').elements()).toHaveLength(1);
    await box('manager_app_pushes').click();
    await expect.element(box('manager_settings_roles')).not.toHaveAccessibleDescription(/own access/);
    await expect.element(save).toBeEnabled();
  });
});

describe('choosing permissions', () => {
  it('chooses all of a category and none, and says how many are chosen', async () => {
    await renderRoles({ addresses: existing });
    const app = page.getByRole('group', { name: 'App' });
    const all = page.getByRole('checkbox', { name: 'All of App' });
    await expect.element(app).toMatchTextContent('2 of 11');
    await expect.element(all).toBePartiallyChecked();
    await all.click();
    await expect.element(app).toMatchTextContent('11 of 11');
    await expect.element(all).toBeChecked();
    await all.click();
    await expect.element(app).toMatchTextContent('0 of 11');
    await expect.element(box('manager_app_edit')).not.toBeChecked();
  });

  it('[AMB-167] cannot give what the account does not hold, also not with its category; those of buyers it can', async () => {
    const permissions = ['manager_settings_roles', 'manager_app_edit', 'manager_app_requests'] as const;
    const { history } = await renderRoles({ addresses: existing, permissions, isSuperAdmin: false });
    await expect.element(box('manager_app_pushes')).toBeDisabled();
    await expect.element(box('manager_app_pushes')).toHaveAccessibleDescription(/Your account does not have it, so you cannot grant it\.$/);
    await expect.element(page.getByRole('checkbox', { name: 'All of Dev' })).toBeDisabled();
    await page.getByRole('checkbox', { name: 'All of App' }).click();
    await expect.element(page.getByRole('group', { name: 'App' })).toMatchTextContent('0 of 11');
    await page.getByRole('button', { name: 'Discard' }).click();
    history.push('/roles/create-buyer');
    await expect.element(box('buyer_stream_view')).toBeEnabled();
  });

  it('[AMB-167] a role that holds more than the account is shown as read-only, with the reason', async () => {
    const more = roleOf({ id: 13, name: 'More', badge: 'M', panel: 'user', read_only: true }, [
      'manager_dev_logs',
      'manager_settings_roles',
    ]);
    await renderRoles({
      addresses: ['/roles', '/roles/user/13/edit'],
      permissions: ['manager_settings_roles'],
      isSuperAdmin: false,
      answer: ({ path }) => (path === 'roles/13' ? ok(more) : null),
    });
    await expect.element(page.getByRole('note')).toMatchTextContent('This role holds more than your account: manager_dev_logs.');
    await expect.element(title).toHaveAttribute('readonly');
    for (const input of page.getByRole('checkbox').elements()) await expect.element(input).toBeDisabled();
    expect(save.elements()).toHaveLength(0);
  });

  it('the Super Admin role keeps its permissions, and its name may change', async () => {
    await renderRoles({ addresses: ['/roles', '/roles/user/1/edit'] });
    await expect.element(page.getByText('The Super Admin role always holds all permissions.')).toBeVisible();
    await expect.element(box('manager_dev_logs')).toBeDisabled();
    await title.fill('Owner');
    await expect.element(save).toBeEnabled();
  });
});

describe('a role that somebody else saved meanwhile', () => {
  it('shows both and saves mine over it, with what they added', async () => {
    const theirs = roleOf({ ...trafficReviewer, version: 5 }, ['manager_app_edit', 'manager_app_requests', 'manager_dev_logs']);
    const { calls, history } = await renderRoles({
      addresses: ['/before', editPath],
      answer: ({ method, ifMatch }) => {
        if (method !== 'PUT') return null;
        if (ifMatch === '"v4"') return refusal(412, 'Changed by someone else', { data: { current: theirs } });
        return ok(savedRole(theirs, { name: 'Reader', permission_ids: [3, 6, 18] }));
      },
    });
    await title.fill('Reader');
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this role' });
    await expect.element(dialog.getByRole('row', { name: /^Permissions/ })).toMatchTextContent('manager_dev_logs');
    await dialog.getByRole('button', { name: 'Save mine over it' }).click();
    await expect.poll(() => history.location.pathname).toBe('/before');
    const [, last] = calls.filter(({ method }) => method === 'PUT');
    expect(last).toMatchObject({ ifMatch: '"v5"', body: { name: 'Reader', permission_ids: [3, 6, 18] } });
  });

  it('loads theirs when wished', async () => {
    const theirs = savedRole(trafficReviewer, { name: 'Theirs' });
    await renderRoles({
      addresses: existing,
      answer: ({ method }) => (method === 'PUT' ? refusal(412, 'Changed by someone else', { data: { current: theirs } }) : null),
    });
    await title.fill('Mine');
    await save.click();
    await page.getByRole('button', { name: 'Discard mine, load theirs' }).click();
    await expect.element(title).toHaveValue('Theirs');
    await expect.element(save).toBeDisabled();
  });

  it('leaves the keyboard at the bar that saves, whichever way is chosen', async () => {
    const theirs = savedRole(trafficReviewer, { name: 'Theirs' });
    await renderRoles({
      addresses: existing,
      answer: ({ method }) => (method === 'PUT' ? refusal(412, 'Changed by someone else', { data: { current: theirs } }) : null),
    });
    const keepEditing = page.getByRole('button', { name: 'Keep editing' });
    await title.fill('Mine');
    // Closed for the first time and once more, which the kit's dialog distinguishes.
    for (let time = 0; time < 2; time += 1) {
      await save.click();
      await expect.element(keepEditing).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await expect.element(keepEditing).not.toBeInTheDocument();
      await expect.element(save).toHaveFocus();
    }
    await userEvent.keyboard('{Enter}');
    await expect.element(keepEditing).toHaveFocus();
    await userEvent.keyboard('{Tab}{Enter}');
    await expect.element(keepEditing).not.toBeInTheDocument();
    await expect.poll(() => document.activeElement?.textContent).toBe('Nothing changed');
  });
});

describe('preview of a changed role', () => {
  const owner = { id: 8, name: 'Pavel', panel: 'user' } as const;
  const preview: RolePreview = {
    accounts: [
      { ...owner, obstacle: null, gains: ['manager_app_pushes'], loses: ['manager_app_edit'] },
      { id: 9, name: 'Bea', panel: 'user', obstacle: 'no_access', gains: [], loses: ['manager_app_edit'] },
    ],
    tokens: [{ id: 3, name: 'Deployment', kind: 'personal', owner, obstacle: null, gains: ['manager_app_pushes'], loses: [] }],
    is_partial: false,
  };
  const bar = page.getByRole('region', { name: 'Save' });
  const showWho = page.getByRole('button', { name: 'Show who' });

  it('[PERMX-008] says above Save how many gain or lose permissions, and who, while the choice differs from the stored one', async () => {
    const { calls } = await renderRoles({
      addresses: existing,
      answer: ({ path }) => (path.includes('/preview') ? ok(preview) : null),
    });
    await box('manager_app_pushes').click();
    await box('manager_app_edit').click();
    await expect.element(bar).toMatchTextContent(/Gain: 1 account, 1 token\. Lose: 2 accounts\./);
    await expect.poll(() => calls.at(-1)?.path).toBe('roles/11/preview?permission_ids[]=6&permission_ids[]=8');
    await showWho.click();
    const dialog = page.getByRole('dialog', { name: 'Who is affected' });
    const lines = dialog.getByRole('listitem');
    await expect.element(lines.nth(0)).toMatchTextContent(/^Edit apps manager_app_editLost by Pavel, Bea \(cannot use it now\)$/);
    await expect.element(lines.nth(1)).toMatchTextContent(/manager_app_pushesGained by Pavel, token Deployment of Pavel$/);
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(showWho).toHaveFocus();
    await box('manager_app_pushes').click();
    await box('manager_app_edit').click();
    await expect.element(bar).toMatchTextContent(/^Nothing changed/);
    expect(showWho.elements()).toHaveLength(0);
  });

  it('[LARGE-005] shows twenty of many with a search, and leads to each account', async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({
      id: 100 + at,
      name: `Person ${at}`,
      panel: 'user' as const,
      obstacle: null,
      gains: [],
      loses: ['manager_app_edit' as const],
    }));
    await renderRoles({
      addresses: existing,
      answer: ({ path }) => (path.includes('/preview') ? ok({ ...preview, accounts: many, tokens: [] }) : null),
    });
    await box('manager_app_edit').click();
    await showWho.click();
    const dialog = page.getByRole('dialog', { name: 'Who is affected' });
    await expect.element(dialog.getByText('20 of 60 accounts and tokens')).toBeVisible();
    await dialog.getByRole('searchbox').fill('person 57');
    await expect.element(dialog.getByRole('link')).toHaveLength(1);
    await expect.element(dialog.getByRole('link', { name: 'Person 57' })).toHaveAttribute('href', '/users/157/edit');
  });

  it('[PERMX-008] says that nobody is affected, that a restricted reader sees a part, and that it could not be loaded', async () => {
    let answer = refusal(503, 'Database is unavailable, try again');
    await renderRoles({ addresses: existing, answer: ({ path }) => (path.includes('/preview') ? answer : null) });
    await box('manager_app_pushes').click();
    await expect.element(bar).toMatchTextContent(/Could not load who is affected/);
    answer = ok({ ...preview, accounts: [], tokens: [] });
    await bar.getByRole('button', { name: 'Retry' }).click();
    await expect.element(bar).toMatchTextContent(/No account or token gains or loses a permission\./);
    answer = ok({ ...preview, tokens: [], is_partial: true });
    await box('manager_app_edit').click();
    await expect.element(bar).toMatchTextContent(/Gain: 1 account\. Lose: 2 accounts that you see\./);
    await showWho.click();
    await expect.element(page.getByText('Accounts and tokens that you do not see are left out.')).toBeVisible();
  });

  it('[PERMX-008] is not shown for a new role or a change of the title', async () => {
    const { calls, history } = await renderRoles({ addresses: existing });
    await title.fill('Reader');
    await expect.element(save).toBeEnabled();
    history.push('/roles/create-user');
    await box('manager_dev_logs').click();
    await expect.element(bar).toMatchTextContent(/Still needed: Title/);
    expect(calls.filter(({ path }) => path.includes('preview'))).toEqual([]);
  });
});

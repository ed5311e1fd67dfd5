import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { box, button, field, invalid, ok, refusal, renderUsers, writes, writtenAccount } from '../testing/render-users.tsx';
import { sampleAccount } from '../testing/sample-account.ts';

const create = button('Create');
const message = '*Minimum length of 12 characters, must contain at least one digit, at least one letter in lower and uppercase';

async function fillAll(): Promise<void> {
  await field('Name').fill('New Person');
  await field('Email').fill('new@example.com');
  await field('Password').fill('Str0ngPassw0rd');
}

describe('creating a user', () => {
  it('[USER-014, USER-017, USER-018, USER-019, USER-021, USER-034, USER-046, AMB-181, AMB-051] asks for name, email, password, access and roles, and enables Create once all are set', async () => {
    await renderUsers({ address: '/users/add' });
    await expect.element(box('Has Access')).toBeChecked();
    for (const role of ['Admin', 'App Manager', 'Log Reviewer']) await expect.element(box(role)).toBeEnabled();
    await expect.element(box('Super Admin')).toBeDisabled();
    expect(page.getByText('Select apps to bind with user').elements()).toHaveLength(0);
    await expect.element(page.getByRole('button', { name: /^Help: Allows the user to sign in to the platform/ })).toBeVisible();
    expect(page.getByRole('button', { name: /^Help: / }).elements().length).toBeGreaterThanOrEqual(9);
    expect(page.getByText(/^\*/).elements()).toHaveLength(0);
    await fillAll();
    await expect.element(create).toBeDisabled();
    await box('Log Reviewer').click();
    await expect.element(create).toBeEnabled();
    for (const label of ['Name', 'Email', 'Password']) {
      const before = page.getByRole('textbox', { name: label, exact: true }).or(field(label));
      await before.fill('');
      await expect.element(create).toBeDisabled();
      await fillAll();
      await expect.element(create).toBeEnabled();
    }
    await button('Generate password').click();
    await expect.element(field('Password')).toHaveValue(expect.stringMatching(/^[a-zA-Z\d!@#$%^&*()]{20}$/));
    await expect.element(create).toBeEnabled();
  });

  it.each([
    ['USER-024', 'Name', 'ab', '*Provide a valid name (min length - 3)'],
    ['USER-024', 'Name', '  a  ', '*Provide a valid name (min length - 3)'],
    ['USER-025, AMB-177', 'Name', 'Taken Name', '*User with this name already exists'],
    ['USER-027, AMB-179', 'Email', 'no address', '*Provide a valid email address'],
    ['USER-028, AMB-177', 'Email', 'tAKEN@example.com', '*User with this email already exists'],
    ['USER-028, AMB-177', 'Email', 'ivan@example.com', '*User with this email already exists'],
    ['USER-029', 'Password', 'Sh0rtPasswo', message],
    ['USER-030', 'Password', 'NoDigitsInHere', message],
    ['USER-031', 'Password', 'N0LOWERCASEHERE', message],
    ['USER-032', 'Password', 'n0uppercasehere', message],
  ])('[%s, USER-035] %s "%s" says: %s', async (_id, label, text, expected) => {
    await renderUsers({ address: '/users/add' });
    await fillAll();
    await box('Admin').click();
    await expect.element(create).toBeEnabled();
    await field(label).fill(text);
    await expect.element(field(label)).toHaveAccessibleDescription(expected);
    await expect.element(create).toBeDisabled();
  });

  it('[USER-022, USER-033, AMB-175] sends the form and opens the page of the new user', async () => {
    const { calls, history } = await renderUsers({ address: '/users/add' });
    await fillAll();
    await field('Name').fill('  New Person ');
    await box('Admin').click();
    await box('Has Access').click();
    await create.click();
    await expect.poll(() => history.location.pathname).toBe('/users/8/edit');
    expect(writes(calls)).toEqual([
      {
        method: 'POST',
        path: 'users',
        ifMatch: null,
        body: {
          name: 'New Person',
          email: 'new@example.com',
          password: 'Str0ngPassw0rd',
          has_access: false,
          roles: ['Admin'],
          isQa: false,
        },
      },
    ]);
    await expect.element(page.getByText(/User "New Person" created/)).toBeVisible();
  });

  it('[USER-015, USER-016, AMB-176] where people sign in with Google only shows and sends no password, and needs none', async () => {
    const { calls } = await renderUsers({
      address: '/users/add',
      loginMethods: 'google',
    });
    await expect.element(box('Admin')).toBeVisible();
    expect(field('Password').elements()).toHaveLength(0);
    expect(button('Generate password').elements()).toHaveLength(0);
    await field('Name').fill('New Person');
    await field('Email').fill('new@example.com');
    await box('Admin').click();
    await create.click();
    await expect.poll(() => writes(calls).length).toBe(1);
    expect(writes(calls)[0]?.body).not.toHaveProperty('password');
  });

  it('[IDN-078] invites instead of setting a password, shows the link once, and keeps what was typed', async () => {
    const link = 'https://console.example/invitation#pX7cQ2';
    const { calls, history } = await renderUsers({
      address: '/users/add',
      answer: ({ method, path, body }) => {
        if (method !== 'POST' || path !== 'users/invite') return null;
        const invitation = { state: 'pending', expires_at: '2026-11-26 10:00:00', mail: null, link };
        return ok({ ...writtenAccount(sampleAccount, body, 1), invitation }, 201);
      },
    });
    await fillAll();
    await box('Admin').click();
    await button('Invite by link instead').click();
    expect(field('Password').elements()).toHaveLength(0);
    await expect.element(button('Set a password instead')).toHaveFocus();
    await button('Create and invite').click();
    await expect.element(page.getByRole('dialog', { name: 'Invitation link' }).getByRole('textbox')).toHaveValue(link);
    expect(writes(calls)).toMatchObject([
      { path: 'users/invite', body: { name: 'New Person', email: 'new@example.com', roles: ['Admin'] } },
    ]);
    expect(writes(calls)[0]?.body).not.toHaveProperty('password');
    await userEvent.keyboard('{Escape}');
    await expect.element(button('Done')).toBeVisible();
    expect(history.location.pathname).toBe('/users/add');
    await button('Done').click();
    await expect.poll(() => history.location.pathname).toBe('/users/8/edit');
  });

  it('[USER-020, AMB-169, PERM-025] offers no role without the statistics permission, and says why', async () => {
    await renderUsers({ address: '/users/add', permissions: ['manager_user_create'] });
    await expect.element(page.getByText(/you can assign only the role Buyer/)).toBeVisible();
    expect(box('Admin').elements()).toHaveLength(0);
    await fillAll();
    await expect.element(create).toBeDisabled();
  });

  it('says which apps a new user will see, depending on who creates it', async () => {
    await renderUsers({ address: '/users/add' });
    await expect.element(page.getByText(/A new user sees every app until you choose some/)).toBeVisible();
  });

  it('says to a creator with some apps that they are handed on', async () => {
    await renderUsers({ address: '/users/add', reader: { hasAllApps: false } });
    await expect.element(page.getByText(/A new user sees the apps that you see/)).toBeVisible();
  });

  it.each(['/users/add', '/users/buyers/add', '/users/8/edit', '/users/buyers/31/edit?startTabName=Settings'])(
    '[O40, USER-035] %s says that a password is too common when its field is left, not at every key',
    async (address) => {
      const { calls } = await renderUsers({
        address,
        answer: ({ path, body }) => {
          if (path !== 'sanctum/password-check') return null;
          return ok({ error: JSON.stringify(body).includes('Password1234') ? '*This password is too common' : null });
        },
      });
      const checks = () => calls.filter(({ path }) => path === 'sanctum/password-check').map(({ body }) => body);
      await field('Email').fill('new@example.com');
      await field('Password').fill('Password12');
      await field('Email').click();
      await field('Password').fill('Password1234');
      await expect.element(field('Password')).not.toHaveAccessibleDescription('*This password is too common');
      expect(checks()).toEqual([]);
      const below = (): number => field('Password').element().closest('form')?.scrollHeight ?? 0;
      const before = below();
      await field('Email').click();
      await expect.element(field('Password')).toHaveAccessibleDescription('*This password is too common');
      // The pressed element has not moved.
      expect(below()).toBe(before);
      await expect.element(page.getByRole('region', { name: 'Save' }).getByRole('button', { name: /^(Create|Save)$/ })).toBeDisabled();
      await field('Password').fill('Str0ngPassw0rd');
      await expect.element(field('Password')).not.toHaveAccessibleDescription('*This password is too common');
      await field('Email').click();
      await expect.poll(checks).toEqual([
        { password: 'Password1234', email: 'new@example.com' },
        { password: 'Str0ngPassw0rd', email: 'new@example.com' },
      ]);
      expect(writes(calls)).toEqual([]);
    },
  );

  it('[O40] a check that fails is not shown, and the form can be saved', async () => {
    const { calls } = await renderUsers({
      address: '/users/add',
      answer: ({ path }) => (path === 'sanctum/password-check' ? refusal(429, 'Too many attempts. Try again later') : null),
    });
    await fillAll();
    await box('Admin').click();
    await expect.poll(() => calls.some(({ path }) => path === 'sanctum/password-check')).toBe(true);
    await create.click();
    await expect.poll(() => writes(calls).length).toBe(1);
    expect(page.getByText(/Too many attempts/).elements()).toHaveLength(0);
  });

  it('[USER-035, ERR-020] shows an error of the server under its field until it is edited, and errors by rank in the foot', async () => {
    let answer = invalid('password', '*This password is too common');
    await renderUsers({ address: '/users/add', answer: ({ method, path }) => (method === 'POST' && path === 'users' ? answer : null) });
    await fillAll();
    await box('Admin').click();
    await create.click();
    await expect.element(field('Password')).toHaveAccessibleDescription('*This password is too common');
    await expect.element(field('Password')).toHaveFocus();
    await expect.element(create).toBeDisabled();
    await field('Password').fill('An0therPassword');
    answer = refusal(403, 'You cannot grant permissions you do not have');
    await create.click();
    await expect.element(page.getByRole('region', { name: 'Save' }).getByText(/cannot grant permissions/)).toBeVisible();
  });
});

describe('roles on offer', () => {
  it.each([
    ['/users/add', ['Super Admin', 'Admin', 'App Manager', 'Log Reviewer']],
    ['/users/buyers/add', ['Buyer', 'QA', 'Super Buyer']],
    ['/users/8/edit', ['Super Admin', 'Admin', 'App Manager', 'Log Reviewer']],
    ['/users/buyers/31/edit?startTabName=Settings', ['Buyer', 'QA', 'Super Buyer']],
  ])('[PERM-058] %s offers the roles of its own panel, all of them and no other', async (address, labels) => {
    await renderUsers({ address });
    const offeredNames = () =>
      page
        .getByRole('checkbox')
        .elements()
        .flatMap((one) => (one instanceof HTMLInputElement ? [one.labels?.[0]?.textContent] : []))
        .filter((label) => label !== 'Has Access');
    await expect.poll(offeredNames).toEqual(labels);
  });
});

describe('creating a buyer', () => {
  it('[BUY-006, BUY-007, BUY-009, BUY-010, AMB-175] sends apps and whether it is a tester, and opens the page of the new buyer', async () => {
    const { calls, history } = await renderUsers({ address: '/users/buyers/add' });
    await fillAll();
    await expect.element(box('Has Access')).toBeChecked();
    await button('Generate password').click();
    await box('QA').click();
    await page.getByRole('combobox', { name: 'Select apps to bind with user' }).click();
    await page.getByRole('option', { name: /App 12/ }).click();
    await page.getByRole('option', { name: /App 15/ }).click();
    await userEvent.keyboard('{Escape}');
    await page.getByRole('button', { name: 'Leave out App 15 (com.app15.x)' }).click();
    await create.click();
    await expect.poll(() => history.location.pathname).toBe('/users/buyers/31/edit');
    expect(writes(calls)[0]?.body).toMatchObject({ roles: ['QA'], isQa: true, app_ids: [12], has_access: true });
  });

  it('[BUY-008, BUY-009, USER-023, PERM-038] without the permissions for statistics and editing offers Buyer only and goes back to the list', async () => {
    const { history } = await renderUsers({
      address: '/users/buyers/add',
      permissions: ['manager_user_buyer_create'],
    });
    await expect.element(box('Buyer')).toBeVisible();
    expect(box('QA').elements()).toHaveLength(0);
    await fillAll();
    await box('Buyer').click();
    await create.click();
    await expect.poll(() => history.location.href).toBe('/users?startTabName=Buyers');
  });
});

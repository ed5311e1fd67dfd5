import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { agree, buyerAddress as buyer, save, saveChanges } from '../testing/edit-account.ts';
import { sampleBuyer } from '../testing/sample-account.ts';
import { box, button, field, ok, refusal, renderUsers, writes, writtenAccount } from '../testing/render-users.tsx';

const buyerAccount = { ...sampleBuyer, roles: ['Buyer'], badges: ['B'], appIds: [12, 14] };

describe('apps and streams of a buyer', () => {
  const apps = `${buyer}?startTabName=Apps`;

  it('[BUY-011, BUY-012, BUY-016, BUY-017, BUY-018, BUY-019, BUY-020, BUY-021, AMB-183] marks apps, restores them, and removes them together after one prompt', async () => {
    const { calls } = await renderUsers({
      address: apps,
      answer: ({ method, ifMatch, body }) => {
        if (method !== 'PUT') return null;
        const current = { ...buyerAccount, app_ids: [12, 14, 15], appIds: [12, 14, 15], version: 9 };
        return ifMatch === '"v9"' ? ok(writtenAccount(current, body)) : refusal(412, 'Changed by someone else', { data: { current } });
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
    // Apps that somebody else added meanwhile stay.
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
    const { calls } = await renderUsers({ address: buyer });
    for (const text of ['B buyer', 'QA tester', 'SB super buyer (sees all streams)']) {
      await expect.element(button(`Help: ${text}`)).toBeVisible();
    }
    await box('Buyer').click();
    await box('QA').click();
    await save.click();
    await agree('you want to change user data?');
    await expect.poll(() => writes(calls)).toMatchObject([{ path: 'buyers/31', body: { roles: ['QA'], isQa: true } }]);
  });

  describe('of another team', () => {
    const restrictedReader = { hasAllApps: false };
    const reason = 'This buyer also works on apps that you do not see. You can change only the apps on the Apps tab.';

    it('[O37] [S36] are shown with the reason why nothing but their apps can be changed', async () => {
      const { calls } = await renderUsers({ address: buyer, reader: restrictedReader, readOnlyIds: [31] });
      await expect.element(page.getByText(reason)).toBeVisible();
      for (const label of ['Name', 'Email']) await expect.element(field(label)).toHaveAttribute('readonly');
      for (const control of [field('Password'), box('Has Access'), box('Buyer'), box('QA')]) await expect.element(control).toBeDisabled();
      await expect.element(save).toBeDisabled();

      await page.getByRole('tab', { name: 'Apps' }).click();
      await button('Remove Acme Bet').click();
      await saveChanges.click();
      await agree('you want to deny the user access to this application?');
      await expect.poll(() => writes(calls).map(({ path, body }) => [path, body])).toEqual([['buyers/31', { app_ids: [14] }]]);
    });

    it('[O37] [S36] cannot be denied access or deleted from the list, which says why', async () => {
      await renderUsers({ address: '/users?startTabName=Buyers', reader: restrictedReader, readOnlyIds: [31] });
      const access = page.getByRole('switch', { name: 'Access of Ivan Buyer' });
      for (const element of [access, button('Delete Ivan Buyer')]) {
        await expect.element(element).toBeDisabled();
        await expect.element(element).toHaveAttribute('title', reason);
      }
      await expect.element(page.getByRole('link', { name: 'Edit Ivan Buyer' })).toBeVisible();
    });

    it('[O37] [S36] leave the buyers of the own team free', async () => {
      await renderUsers({ address: buyer, reader: restrictedReader, readOnlyIds: [30] });
      await expect.element(box('Buyer')).toBeEnabled();
      await expect.element(field('Name')).not.toHaveAttribute('readonly');
      await expect.element(page.getByText(reason)).not.toBeInTheDocument();
    });

    it.each([
      ['once by a reader of some apps', 1, buyer, restrictedReader],
      ['not by a reader of all apps', 0, buyer, { hasAllApps: true }],
      ['not on the page of a staff account', 0, '/users/8/edit', restrictedReader],
    ] as const)('[O37] are asked for %s', async (_who, times, address, reader) => {
      const { calls } = await renderUsers({ address, reader });
      await expect.element(page.getByRole('tab', { name: 'Settings' })).toBeVisible();
      expect(calls.filter(({ path }) => path === 'buyers/read-only')).toHaveLength(times);
    });

    it('[O37] leave the page usable when it cannot be learned which they are', async () => {
      const failure = refusal(503, 'Database is unavailable, try again');
      await renderUsers({ address: buyer, reader: restrictedReader, answer: ({ path }) => (path === 'buyers/read-only' ? failure : null) });
      await expect.element(box('Buyer')).toBeEnabled();
    });
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
  const pageOf = (rows: object[]) => ({
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
        path === 'buyers/31/streams/list'
          ? pageOf([stream, second, { ...second, uid: 'st_3', offer: null, level_cloaking: 'hard' }])
          : null,
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
      answer: ({ path }) => (path === 'buyers/31/streams/list' ? pageOf([]) : null),
    });
    await expect.element(page.getByText('User Ivan Buyer has no available streams')).toBeVisible();
  });
});

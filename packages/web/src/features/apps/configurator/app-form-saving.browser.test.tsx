import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CallError, reactionTo } from '../../../shared/api/call-error.ts';
import { unsavedWork } from '../../../shared/unsaved-work.ts';
import { passTime, stopClock } from '../../../testing/clock.ts';
import { field, fillRequired, free, renderAppForm, saveButton, unlock, withUnlock } from './testing/render-app-form.tsx';
import { sampleApp } from './testing/sample-app.ts';

const prompt = page.getByRole('dialog', { name: 'Are you sure?' });
const ok = page.getByRole('button', { name: 'OK' });

function refusal(status: number, fields: Record<string, string[]> = {}): CallError {
  const answer = { status, body: { success: false, message: 'no', errors: fields, data: { errors: fields } } };
  return new CallError(answer, reactionTo(answer));
}

describe('saving', () => {
  it('[CONF-003] [CONF-018] [CONF-025] [CONF-072] [CONF-073] [CONF-074] [UACC-007] asks first, then sends the whole form', async () => {
    const run = Promise.withResolvers<typeof sampleApp>();
    const { saves, onSaved } = await renderAppForm({ ...free, save: () => run.promise });
    await fillRequired();
    await field('APF SDK key').fill('dK9');
    await saveButton.click();
    await expect.element(prompt.getByText('Please check all data TWICE!')).toBeVisible();
    expect(saves).toEqual([]);
    await ok.click();
    await expect.element(ok).toBeDisabled();
    const part = { type: 'json', code: 200, response: '' };
    expect(saves[0]?.body).toEqual({
      name: 'Lucky Bet',
      bundle: 'com.lucky.bet',
      domain: 'lucky.example',
      vertical: 'casino',
      keys: { createApfDevKey: 'dK9', firebaseAppId: '' },
      privateKeys: { apiSecret: '' },
      conversion_api_type: 'mmp_appsflyer',
      userIds: [],
      app_mode: 'default',
      response_mode: 'white',
      static_response_path: '/',
      proxy_cache_seconds: 300,
      response_message: { static: part, create: part, receive: part },
      cloak_mode: 'default',
      adspect_cloak: '',
      whiteUserAgent: '',
    });
    run.resolve({ ...sampleApp, name: 'Lucky Bet' });
    await expect.element(prompt).not.toBeInTheDocument();
    await expect.poll(() => onSaved).toHaveBeenCalledOnce();
    expect(unsavedWork.isHeld()).toBe(false);
  });

  it('[CONF-022] [CONF-023] [CONF-075] of an existing app sends the same body, and what was loaded; nothing is unsaved then', async () => {
    const { saves, onSaved } = await renderAppForm({
      app: sampleApp,
      ...free,
      save: async () => ({ ...sampleApp, name: 'Acme Bets', version: 5 }),
    });
    await field('Name').fill('Acme Bets');
    await saveButton.click();
    await expect.element(prompt).toBeVisible();
    expect(page.getByText('Attention: This action will affect existing users!').query()).toBeNull();
    await ok.click();
    await expect.poll(() => onSaved).toHaveBeenCalledOnce();
    expect(saves).toMatchObject([
      { body: { name: 'Acme Bets', userIds: [31, 33] }, values: { name: 'Acme Bets' }, loadedApp: { version: 4 } },
    ]);
    await expect.element(field('Name')).toHaveValue('Acme Bets');
    await expect.element(page.getByText('Nothing changed')).toBeVisible();
    await expect.poll(() => document.activeElement?.textContent).toBe('Nothing changed');
    await field('Name').fill('Acme Bet');
    const discard = page.getByRole('button', { name: 'Discard' }).element();
    if (discard instanceof HTMLElement) discard.focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(field('Name')).toHaveValue('Acme Bets');
    await expect.poll(() => document.activeElement?.textContent).toBe('Nothing changed');
  });

  it.each([
    ['CONF-020', 'Domain', true, true],
    ['CONF-021', 'Bundle', true, true],
    ['CONF-022', 'Domain', false, true],
    ['CONF-022', 'Bundle', false, true],
    ['OUT-002', 'Bundle', true, false],
  ] as const)('[%s] [AMB-106] a new %s warns when the app has clients: %s, which is known: %s', async (_id, label, hasClients, isKnown) => {
    const statistics = { ...sampleApp.statistics, ...(isKnown ? {} : { missing: ['create' as const] }) };
    const app = { ...sampleApp, statistics, has_clients: isKnown && hasClients };
    await renderAppForm({ app, permissions: withUnlock, ...free });
    await unlock(label.toLowerCase()).click();
    await field(label).fill('other.example');
    await saveButton.click();
    await expect.element(prompt).toBeVisible();
    const lines = ['Please check all data TWICE!', ...(hasClients ? ['Attention: This action will affect existing users!'] : [])];
    expect(
      prompt
        .getByText(/TWICE|Attention/)
        .elements()
        .map((line) => line.textContent),
    ).toEqual(lines);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(prompt).not.toBeInTheDocument();
  });

  it('[CONF-045] [CONF-064] validates recently typed text at once, and does not ask the server if it is invalid', async () => {
    const { saves } = await renderAppForm({ app: sampleApp, isFree: (_field, value) => value !== 'taken' });
    await field('Name').fill('taken');
    await userEvent.keyboard('{Enter}');
    await expect.element(field('Name')).toHaveAccessibleDescription('The "name" taken was previously used.');
    await expect.element(field('Name')).toHaveFocus();
    expect(prompt.query()).toBeNull();
    expect(saves).toEqual([]);
  });

  it('[CONF-005] [CONF-024] [CONF-063] [ERR-020] errors of the server are shown under their fields, the first one focused', async () => {
    const fields = {
      'response_message.create': ['The "create" field is not a valid URL.'],
      whiteUserAgent: ['The whiteUserAgent field must not be longer than 1000 characters.'],
      'privateKeys.apiSecret': ['The apiSecret field must not be longer than 255 characters.'],
      vertical: ['The selected vertical is invalid.'],
      firebaseAppId: ['Check it.'],
      proxy_api_url: ['Not allowed.'],
      userIds: ['The userIds field contains an unknown id: 31.'],
      surprise: ['Unknown field.'],
    };
    await renderAppForm({ app: sampleApp, ...free, save: async () => Promise.reject(refusal(422, fields)) });
    await field('Name').fill('Acme Bets');
    await saveButton.click();
    await ok.click();
    await expect.element(prompt).not.toBeInTheDocument();
    for (const texts of Object.values(fields)) await expect.element(page.getByText(texts[0] ?? '')).toBeVisible();
    await expect.element(field('White user agent')).toHaveFocus();
    await expect.element(field('White user agent')).toHaveAccessibleDescription(/1000 characters/);
    await expect.element(field('API Secret')).toHaveAccessibleDescription(/255 characters/);
    await expect.element(saveButton).toBeDisabled();
    await expect.element(page.getByText('7 fields need to be corrected')).toBeVisible();
    await field('Proxy API URL').fill('https://other.example');
    await expect.element(page.getByText('Not allowed.')).not.toBeInTheDocument();
    expect(unsavedWork.isHeld()).toBe(true);
  });

  it('[CONF-063] [CONF-064] [AMB-095] an error of the server stays when the check of an earlier value completes after it', async () => {
    stopClock();
    const fields = { name: ['The "name" Acme Bets was previously used.'] };
    await renderAppForm({ app: sampleApp, ...free, save: async () => Promise.reject(refusal(422, fields)) });
    await field('Name').fill('Acme Bets');
    await saveButton.click();
    await passTime(100);
    await ok.click();
    await passTime(2_000);
    await expect.element(field('Name')).toHaveAccessibleDescription('The "name" Acme Bets was previously used.');
    await expect.element(saveButton).toBeDisabled();
    await field('Name').fill('Acme Best');
    await passTime(600);
    await expect.element(saveButton).toBeEnabled();
  });

  it('[CONF-024] [CONF-025] any other failure leaves everything as it was typed', async () => {
    const { saves } = await renderAppForm({ app: sampleApp, ...free, save: async () => Promise.reject(refusal(412)) });
    await field('Name').fill('Acme Bets');
    await saveButton.click();
    await ok.click();
    await expect.element(prompt).not.toBeInTheDocument();
    await expect.element(field('Name')).toHaveValue('Acme Bets');
    await expect.element(saveButton).toBeEnabled();
    await saveButton.click();
    await ok.click();
    await expect.poll(() => saves).toHaveLength(2);
  });

  it('[RESP-020] [RESP-021] [RESP-022] [RESP-023] addresses and paths take the shape in which they are kept', async () => {
    const { saves } = await renderAppForm({ app: sampleApp, ...free, save: async () => sampleApp });
    await field('Static response path').fill('img/logo');
    await field('Proxy API URL').fill('other.example');
    await userEvent.tab();
    await expect.element(field('Proxy API URL')).toHaveValue('https://other.example');
    await expect.element(field('Static response path')).toHaveValue('/img/logo');
    await field('Proxy API URL').fill('https://');
    await field('Static response path').fill('');
    await userEvent.tab();
    await expect.element(field('Proxy API URL')).toHaveValue('');
    await expect.element(field('Static response path')).toHaveValue('/');
    await saveButton.click();
    await ok.click();
    await expect.poll(() => saves).toHaveLength(1);
    expect(saves[0]?.body).toMatchObject({ static_response_path: '/' });
    expect(saves[0]?.body).not.toHaveProperty('proxy_api_url');
  });
});

import { appMessages, uniqueAppFields } from '@switchyard/contract/app-rules';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { passTime, stopClock } from '../../../testing/clock.ts';
import { field, renderAppForm, saveButton } from './testing/render-app-form.tsx';
import { sampleApp } from './testing/sample-app.ts';

const labels = { name: 'Name', bundle: 'Bundle', domain: 'Domain' } as const;
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const hex = '0f8fad5bd9cb469fa16570867728950e';
const withUnlock = ['manager_app_create', 'manager_app_edit', 'manager_app_edit_domain_bundle'] as const;

describe('texts are validated when typing has stopped', () => {
  it('[CONF-045] [CONST-010] after 500 ms, not before, and again with every key', async () => {
    stopClock();
    await renderAppForm();
    const message = page.getByText(appMessages.spaces('bundle', 'a b'));
    await field('Bundle').fill('a b c');
    await passTime(400);
    await field('Bundle').fill('a b');
    await passTime(499);
    expect(message.query()).toBeNull();
    await passTime(1);
    await expect.element(message).toBeVisible();
    await expect.element(field('Bundle')).toHaveAccessibleDescription(appMessages.spaces('bundle', 'a b'));
  });

  /** Types an invalid value, sees its message, and removes it again. */
  async function expectRefused(label: string, text: string, message: string | RegExp): Promise<void> {
    await field(label).fill(text);
    await passTime(500);
    await expect.element(page.getByText(message)).toBeVisible();
    await field(label).fill('');
    await passTime(500);
    await expect.element(page.getByText(message)).not.toBeInTheDocument();
  }

  it('[CONF-046] [CONF-047] [CONF-049] [CONF-050] [CONF-051] [CONF-052] [CONF-053] [RESP-014] shows the message of a broken rule until the value is valid', async () => {
    const rejectedValues = [
      ['Name', ' Acme', 'Check the name " Acme" for spaces start or and.'],
      ['Name', 'Acme\t', /^Check the name "Acme\s" for spaces start or and\.$/],
      ['White user agent', 'Acme ', 'Check the whiteUserAgent "Acme " for spaces start or and.'],
      ['Bundle', 'com acme', 'Check the bundle "com acme" for spaces.'],
      ['Bundle', 'com\tacme', /^Check the bundle "com\sacme" for spaces\.$/],
      ['Domain', 'acme .example', 'Check the domain "acme .example" for spaces.'],
      ['Domain', 'http://acme.example', 'The domain must not contain http or https.'],
      ['Domain', 'https://acme.example', 'The domain must not contain http or https.'],
      ['Domain', 'HTTPbin.org', 'The domain must not contain http or https.'],
      ['Domain', 'acme.example:8443', 'The domain must be a host name, for example app.example.com.'],
      ['Domain', 'bücher.example', 'Stored as xn--bcher-kva.example.'],
      ['APF SDK key', ' k', 'Check the createApfDevKey " k" for spaces start or and.'],
      ['Proxy API URL', 'ftp://proxy.example', 'The "proxy_api_url" field is not a valid URL.'],
    ] as const;
    stopClock();
    await renderAppForm({ isFree: () => true });
    for (const [label, text, message] of rejectedValues) await expectRefused(label, text, message);
  });

  it('[CONF-047] a field is marked as wrong together with its message', async () => {
    stopClock();
    await renderAppForm();
    for (const label of ['Name', 'White user agent', 'Bundle', 'Domain', 'APF SDK key', 'Proxy API URL']) await field(label).fill(' a b');
    await passTime(500);
    for (const label of ['Name', 'White user agent', 'Bundle', 'Domain', 'APF SDK key', 'Proxy API URL'])
      await expect.element(field(label)).toHaveAttribute('aria-invalid', 'true');
  });

  it('[CONF-054] [CONF-055] shows the message of a broken rule of the keys of Google Analytics until the value is valid', async () => {
    const rejectedValues = [
      ['Firebase APP ID', '1:2 ', 'Check the firebaseAppId "1:2 " for spaces start or and.'],
      ['API Secret', ' s', 'Check the apiSecret " s" for spaces start or and.'],
    ] as const;
    stopClock();
    await renderAppForm();
    await page.getByRole('radio', { name: 'Google Analytics' }).click();
    for (const [label, text, message] of rejectedValues) await expectRefused(label, text, message);
  });

  it('[CONF-048] name and white user agent may hold inner spaces', async () => {
    stopClock();
    await renderAppForm({ isFree: () => true });
    await field('Name').fill('Acme Bet');
    await field('White user agent').fill('Acme 1.0');
    await passTime(600);
    await expect.element(field('Name')).not.toHaveAttribute('aria-invalid', 'true');
    await expect.element(field('White user agent')).not.toHaveAttribute('aria-invalid', 'true');
  });
});

describe('responses and cloak ids', () => {
  it('[RESP-010] [RESP-011] [RESP-012] [RESP-013] [RESP-014] [RESP-015] [RESP-026] [SHELL-061] a redirect needs a http address', async () => {
    stopClock();
    await renderAppForm();
    for (const [name, entry] of [
      ['Static', 'static'],
      ['Create', 'create'],
      ['Receive', 'receive'],
    ] as const) {
      const group = page.getByRole('group', { name: `${name} response` });
      const message = page.getByText(`The "${entry}" field is not a valid URL.`);
      const answerWith = async (code: string) => {
        await group.getByLabelText('Code').selectOptions(code);
        await passTime(500);
      };
      const write = async (text: string) => {
        await group.getByLabelText('Response', { exact: true }).fill(text);
        await passTime(500);
      };
      await answerWith('302');
      await expect.element(message).toBeVisible();
      for (const wrong of ['ftp://x.example', 'https://x.example/a b', 'x.example', 'https://']) {
        await write('https://x.example/a');
        await expect.element(message).not.toBeInTheDocument();
        await write(wrong);
        await expect.element(message).toBeVisible();
      }
      await answerWith('200');
      await expect.element(message).not.toBeInTheDocument();
      await answerWith('307');
      await expect.element(message).toBeVisible();
      await answerWith('400');
      await expect.element(message).not.toBeInTheDocument();
    }
  });

  it('[RESP-016] [RESP-018] [RESP-019] [AMB-103] [SHELL-061] Adspect needs a UUID, MagicChecker 32 hex digits, the other modes nothing', async () => {
    await renderAppForm();
    const adspect = page.getByText('ID Adspect Cloak not valid!');
    const checker = page.getByText('ID MagicChecker Cloak not valid!');
    const mode = (name: string) => page.getByRole('radiogroup', { name: 'Cloak mode' }).getByRole('radio', { name, exact: true });
    await mode('Custom (Adspect)').click();
    await expect.element(page.getByText('Still needed: Name, Bundle, Domain, Vertical, Adspect Cloak ID')).toBeVisible();
    expect(adspect.elements()).toHaveLength(0);
    await field('Adspect Cloak ID').fill(hex);
    await expect.element(adspect).toBeVisible();
    await expect.element(field('Adspect Cloak ID')).toHaveAttribute('aria-invalid', 'true');
    await field('Adspect Cloak ID').fill(uuid.toUpperCase());
    await expect.element(adspect).not.toBeInTheDocument();

    await mode('MagicChecker').click();
    await expect.element(checker).toBeVisible();
    await field('MagicChecker Cloak ID').fill(hex);
    await expect.element(checker).not.toBeInTheDocument();

    await mode('Custom (Adspect)').click();
    await expect.element(adspect).toBeVisible();
    for (const free of ['None', 'Default']) {
      await mode(free).click();
      await expect.element(adspect).not.toBeInTheDocument();
      expect(page.getByLabelText(/Cloak ID/).query()).toBeNull();
    }
  });

  it('[RESP-017] MagicChecker rejects values that are not 32 hex digits', async () => {
    await renderAppForm();
    await page.getByRole('radio', { name: 'MagicChecker' }).click();
    await field('MagicChecker Cloak ID').fill(uuid);
    await expect.element(page.getByText('ID MagicChecker Cloak not valid!')).toBeVisible();
  });
});

describe('uniqueness', () => {
  it.each(uniqueAppFields)('[CONF-056] [CONF-057] [CONST-011] %s is asked about from 3 characters on', async (name) => {
    stopClock();
    const { askedValues } = await renderAppForm({ isFree: () => true });
    await field(labels[name]).fill('ab');
    await passTime(600);
    expect(askedValues).toEqual([]);
    const search = name === 'domain' ? 'a.b' : 'abc';
    await field(labels[name]).fill(search);
    await passTime(600);
    await expect.poll(() => askedValues).toMatchObject([{ field: name, search, exceptId: null }]);
  });

  it('[CONF-060] [CONF-061] [CONF-062] shows under the field that a value is taken', async () => {
    stopClock();
    await renderAppForm({ isFree: () => false });
    for (const name of uniqueAppFields) {
      const value = `${name}.taken`;
      await field(labels[name]).fill(value);
      await passTime(500);
      await expect.element(field(labels[name])).toHaveAccessibleDescription(`The "${name}" ${value} was previously used.`);
    }
  });

  it('[CONF-058] [CONF-059] the loaded value is not asked about, another one without the app itself', async () => {
    stopClock();
    const { askedValues } = await renderAppForm({ app: sampleApp, isFree: () => true, permissions: withUnlock });
    await field('Name').fill('Acme Bets');
    await passTime(600);
    await expect.poll(() => askedValues).toHaveLength(1);
    await field('Name').fill('Acme Bet');
    await passTime(600);
    expect(askedValues).toMatchObject([{ field: 'name', search: 'Acme Bets', exceptId: '12' }]);
  });

  it('[CONF-056] [CONF-060] an answer about what is no longer there is dropped, whichever comes last', async () => {
    stopClock();
    const { askedValues } = await renderAppForm();
    await field('Name').fill('first');
    await passTime(500);
    await expect.poll(() => askedValues).toHaveLength(1);
    await field('Name').fill('second');
    await passTime(500);
    await expect.poll(() => askedValues.map(({ search }) => search)).toEqual(['first', 'second']);
    await expect.poll(() => askedValues.map(({ wasDropped }) => wasDropped())).toEqual([true, false]);
    askedValues[1]?.answer(true);
    askedValues[0]?.answer(false);
    await passTime(100);
    expect(page.getByText(/was previously used/).query()).toBeNull();
  });

  it('[CONF-056] [CONF-060] an answer that comes while the next text is being typed is not shown for it', async () => {
    stopClock();
    const { askedValues } = await renderAppForm();
    await field('Name').fill('first');
    await passTime(500);
    await expect.poll(() => askedValues).toHaveLength(1);
    await field('Name').fill('seco');
    askedValues[0]?.answer(false);
    await passTime(100);
    expect(page.getByText(/was previously used/).query()).toBeNull();
  });

  it('[CONF-056] [AMB-095] rejects spaces before the server is asked', async () => {
    stopClock();
    const { askedValues } = await renderAppForm();
    await field('Domain').fill('https://acme.example');
    await field('Bundle').fill('com acme');
    await userEvent.tab();
    await passTime(600);
    expect(askedValues).toEqual([]);
    await expect.element(saveButton).toBeDisabled();
  });
});

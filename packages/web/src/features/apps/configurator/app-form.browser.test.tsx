import { cloakModes, appModes, responseModes, verticals } from '@switchyard/contract/apps';
import { proxyCacheSeconds, responseCodes, responseTypes } from '@switchyard/contract/app-rules';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { unsavedWork } from '../../../shared/unsaved-work.ts';
import { stopClock } from '../../../testing/clock.ts';
import { field, fillRequired, free, renderAppForm, saveButton, unlock, withUnlock } from './testing/render-app-form.tsx';
import { sampleApp } from './testing/sample-app.ts';

/** Values of the radio buttons of a group, in order. */
async function choicesOf(name: string): Promise<(string | null)[]> {
  const group = page.getByRole('radiogroup', { name });
  await expect.element(group).toBeVisible();
  return [...group.element().querySelectorAll('input')].map((input) => input.getAttribute('value'));
}

function optionsOf(label: string): (string | null)[] {
  const [first] = page.getByLabelText(label, { exact: true }).elements();
  return [...(first?.querySelectorAll('option') ?? [])].map((option) => option.getAttribute('value'));
}

describe('sections and fields', () => {
  it('[CONF-002] [CONF-026] [CONF-028] [CONF-030] [CONF-032] [CONF-033] [CONF-027] [CONF-031] [DOM-018] [PUSHF-001] of a new app', async () => {
    await renderAppForm();
    const headings = page.getByRole('heading', { level: 2 }).elements();
    const titles = ['General info', 'Vertical', 'Conversion keys', 'App users', 'Response and app mode'];
    expect(headings.map((heading) => heading.textContent)).toEqual(titles);
    for (const label of ['Name', 'Bundle', 'Domain', 'White user agent']) await expect.element(field(label)).toHaveValue('');
  });

  it('[CONF-029] [RESP-001] [RESP-002] [RESP-003] [RESP-004] [RESP-005] [RESP-006] [CONST-020] [CONST-022] [CONST-024] offer every choice', async () => {
    await renderAppForm();
    expect(await choicesOf('Vertical')).toEqual(verticals.map(({ id }) => id));
    expect(await choicesOf('App mode')).toEqual([...appModes]);
    expect(await choicesOf('Response mode')).toEqual([...responseModes]);
    expect(await choicesOf('Cloak mode')).toEqual([...cloakModes]);
    expect(optionsOf('Type')).toEqual([...responseTypes]);
    expect(optionsOf('Code')).toEqual(responseCodes.map(String));
    expect(optionsOf('Proxy cache')).toEqual(proxyCacheSeconds.map(String));
  });

  it('[RESP-007] [RESP-008] [RESP-009] [RESP-023] [AMB-101] begin with the defaults', async () => {
    await renderAppForm();
    await expect.element(field('Proxy cache')).toHaveDisplayValue('5 minutes');
    await expect.element(field('Static response path')).toHaveValue('/');
    for (const name of ['Static', 'Create', 'Receive']) {
      const group = page.getByRole('group', { name: `${name} response` });
      await expect.element(group.getByLabelText('Type')).toHaveValue('json');
      await expect.element(group.getByLabelText('Code')).toHaveValue('200');
      await expect.element(group.getByLabelText('Response', { exact: true })).toHaveValue('');
    }
    for (const name of ['AppsFlyer', 'White']) await expect.element(page.getByRole('radio', { name })).toBeChecked();
  });

  it('[CONF-016] [RESP-025] show an app as it was loaded', async () => {
    await renderAppForm({ app: sampleApp });
    await expect.element(field('Name')).toHaveValue('Acme Bet');
    await expect.element(field('White user agent')).toHaveValue('Acme/1.0 (inner spaces)');
    for (const name of ['Finance', 'Push only', 'Custom', 'Custom (Adspect)', 'Google Analytics']) {
      await expect.element(page.getByRole('radio', { name, exact: true })).toBeChecked();
    }
    await expect.element(field('Firebase APP ID')).toHaveValue('1:2:web');
    await expect.element(field('API Secret')).toHaveValue('s3cret');
    await expect.element(field('Proxy API URL')).toHaveValue('https://proxy.example');
    await expect.element(field('Proxy cache')).toHaveDisplayValue('1 hour');
    await expect.element(field('Static response path')).toHaveValue('/s');
    await expect.element(field('Adspect Cloak ID')).toHaveValue('0f8fad5b-d9cb-469f-a165-70867728950e');
    const receive = page.getByRole('group', { name: 'Receive response' });
    await expect.element(receive.getByLabelText('Type')).toHaveValue('random');
    await expect.element(receive.getByLabelText('Code')).toHaveValue('302');
    await expect.element(receive.getByLabelText('Response', { exact: true })).toHaveValue('https://offer.example/x');
  });

  it('[CONF-040] [CONF-041] [CONF-042] [CONF-043] [CONF-044] each conversion type shows its own keys alone', async () => {
    await renderAppForm();
    expect(await choicesOf('Conversion type')).toEqual(['mmp_appsflyer', 'google_analytics']);
    await expect.element(field('APF SDK key')).toBeVisible();
    expect(field('API Secret').query()).toBeNull();
    await field('APF SDK key').fill('wrong ');
    await page.getByRole('radio', { name: 'Google Analytics' }).click();
    await expect.element(field('Firebase APP ID')).toBeVisible();
    await expect.element(field('API Secret')).toBeVisible();
    expect(field('APF SDK key').query()).toBeNull();
    // A wrong key out of sight must not prevent saving.
    await page.getByRole('radio', { name: 'AppsFlyer' }).click();
    await expect.element(field('APF SDK key')).toHaveValue('');
  });
});

describe('bundle and domain of an existing app', () => {
  it('[PERMX-011] name the missing permission to readers who manage roles', async () => {
    await renderAppForm({ app: sampleApp, permissions: ['manager_app_edit', 'manager_settings_roles'] });
    const text =
      /can change it\. Needs the permission: Change the bundle and the domain of an existing app \(manager_app_edit_domain_bundle\)/;
    await expect.element(field('Bundle')).toHaveAccessibleDescription(text);
  });

  it('[CONF-036] [CONF-037] [CONF-038] [PERM-017] stay as they are without the permission', async () => {
    await renderAppForm({ app: sampleApp });
    for (const label of ['Bundle', 'Domain']) {
      await expect.element(field(label)).toHaveAttribute('readonly');
      await expect.element(field(label)).toHaveAccessibleDescription(/^Only accounts that may edit domain and bundle/);
    }
    await expect.element(field('Name')).not.toHaveAttribute('readonly');
    expect(unlock('bundle').query()).toBeNull();
  });

  it.each(['Bundle', 'Domain'])('[CONF-038] [CONF-039] [PERM-016] %s is unlocked by its icon, which says who may', async (label) => {
    await renderAppForm({ app: sampleApp, permissions: withUnlock, ...free });
    const icon = unlock(label.toLowerCase());
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await icon.hover();
    await expect.element(page.getByRole('tooltip')).toHaveTextContent('Only SUPER ADMIN');
    await icon.click();
    await expect.element(field(label)).not.toHaveAttribute('readonly');
    await expect.element(field(label)).toHaveFocus();
    await expect.element(field(label === 'Bundle' ? 'Domain' : 'Bundle')).toHaveAttribute('readonly');
  });
});

describe('the save button', () => {
  it('[CONF-065] [CONF-066] [CONF-067] [CONF-068] [CONF-069] [CONF-070] [AMB-105] waits for name, bundle, domain and vertical', async () => {
    await renderAppForm(free);
    await expect.element(saveButton).toBeDisabled();
    await fillRequired();
    await expect.element(saveButton).toBeEnabled();
    for (const label of ['Name', 'Bundle', 'Domain']) {
      await field(label).fill('');
      await expect.element(saveButton).toBeDisabled();
      await field(label).fill('lucky');
      await expect.element(saveButton).toBeEnabled();
    }
  });

  it('[CONF-068] waits for the vertical alone', async () => {
    await renderAppForm(free);
    await field('Name').fill('Lucky Bet');
    await field('Bundle').fill('com.lucky.bet');
    await field('Domain').fill('lucky.example');
    await expect.element(saveButton).toBeDisabled();
    await page.getByRole('radio', { name: 'Casino', exact: true }).click();
    await expect.element(saveButton).toBeEnabled();
  });

  it('[CONF-064] [RESP-024] waits until every wrong field is mended', async () => {
    await renderAppForm({ app: sampleApp, ...free });
    await page.getByRole('radio', { name: 'Bet', exact: true }).click();
    await expect.element(saveButton).toBeEnabled();
    await field('White user agent').fill(' x');
    await expect.element(saveButton).toBeDisabled();
    await field('White user agent').fill('x');
    await expect.element(saveButton).toBeEnabled();
    await page.getByRole('radio', { name: 'MagicChecker' }).click();
    await expect.element(saveButton).toBeDisabled();
    await page.getByRole('radio', { name: 'None' }).click();
    await expect.element(saveButton).toBeEnabled();
  });

  it('[CONF-069] [CONF-071] [UACC-003] is disabled again by a change that is taken back; so is the hold on the page', async () => {
    await renderAppForm({ app: sampleApp, ...free });
    await expect.element(saveButton).toBeDisabled();
    expect(unsavedWork.isHeld()).toBe(false);
    await field('Name').fill('Acme Bets');
    await expect.element(saveButton).toBeEnabled();
    await expect.element(page.getByText('Not saved: Name')).toBeVisible();
    expect(unsavedWork.isHeld()).toBe(true);
    await field('Name').fill('Acme Bet');
    await expect.element(saveButton).toBeDisabled();
    expect(unsavedWork.isHeld()).toBe(false);
    await field('Proxy API URL').fill('proxy.example');
    await page.getByRole('button', { name: 'Remove Sam Boyd' }).click();
    await page.getByRole('button', { name: 'Undo the removal of Sam Boyd' }).click();
    await expect.element(saveButton).toBeDisabled();
  });

  it('[CONF-034] [CONF-035] [UACC-006] [PERM-007] [PERM-012] [PERM-015] [AMB-112] is there only for those who may save', async () => {
    await renderAppForm({ app: sampleApp, permissions: ['manager_app_create'] });
    await expect.element(field('Name')).toBeVisible();
    expect(saveButton.query()).toBeNull();
    expect(page.getByRole('button', { name: 'Remove Sam Boyd' }).query()).toBeNull();
    expect(page.getByText('Add users').query()).toBeNull();
  });

  it('[CONF-014] [AMB-098] is disabled for an archived app, as every field is', async () => {
    await renderAppForm({ app: { ...sampleApp, deleted_at: '2026-01-01 00:00:00' }, permissions: withUnlock, ...free });
    await expect.element(field('Name')).toHaveValue(sampleApp.name);
    expect(unlock('bundle').query()).toBeNull();
    const open = document.querySelectorAll('form section :is(input, textarea, select, button):not(:disabled)');
    expect([...open].map((element) => element.outerHTML)).toEqual([]);
    await expect.element(page.getByText('You need to restore the app first to make changes')).toBeVisible();
    await expect.element(saveButton).toBeDisabled();
  });
});

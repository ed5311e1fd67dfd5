import { optionalSecurityMails, requiredSecurityMails } from '@switchyard/contract/security-mails';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { SecurityMailSwitches } from './security-mails.tsx';

const mailsWithout = (off: readonly string[]) => [
  ...requiredSecurityMails.map((event) => ({ event, is_on: true, is_required: true })),
  ...optionalSecurityMails.map((event) => ({ event, is_on: !off.includes(event), is_required: false })),
];
const show = async () => renderPages([['/account', 'My account', SecurityMailSwitches]], ['/account']);

it('[IDN-135] lists the security mails with a switch each, and switches off only those that are not about lost control', async () => {
  const bodies: unknown[] = [];
  stubApi((_url, init) => {
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    if (init.method === 'PUT') bodies.push(body);
    return Response.json({ success: true, data: { available: true, mails: mailsWithout(bodies.length === 1 ? ['new_network'] : []) } });
  });
  await show();
  const network = page.getByRole('switch', { name: 'Sign-in from a new network One that you did not use in the last 30 days' });
  await expect.element(network).toBeChecked();
  expect(page.getByRole('switch').elements()).toHaveLength(requiredSecurityMails.length + optionalSecurityMails.length);
  expect(page.getByRole('switch', { disabled: true }).elements()).toHaveLength(requiredSecurityMails.length);
  await expect.element(page.getByRole('switch', { name: 'Password changed By you, an administrator or a mailed link' })).toBeDisabled();
  await network.click();
  await expect.element(network).not.toBeChecked();
  await expect.element(page.getByTestId('notification')).toHaveTextContent('Success: Mails about "Sign-in from a new network" are off');
  await network.click();
  await expect.element(network).toBeChecked();
  expect(bodies).toEqual([
    { event: 'new_network', is_on: false },
    { event: 'new_network', is_on: true },
  ]);
});

it('[IDN-135] says so where no security mails are sent', async () => {
  stubApi(() => Response.json({ success: true, data: { available: false, mails: mailsWithout([]) } }));
  await show();
  await expect
    .element(page.getByText('No security mails are sent to your account: the console has no mail server, or this is a demo account.'))
    .toBeVisible();
  await expect.element(page.getByRole('switch')).not.toBeInTheDocument();
});

import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { button } from './render-users.tsx';

/** Where the test's staff account is edited. */
export const userAddress = '/users/8/edit';

/** Where the test's buyer is edited. */
export const buyerAddress = '/users/buyers/31/edit';

/** The button that saves the settings. */
export const save = button('Save');

/** The button that saves the apps. */
export const saveChanges = button('Save changes');

/** Reads the prompt's text, confirms, and waits until it closes. */
export async function agree(text: string): Promise<void> {
  const prompt = page.getByRole('dialog', { name: 'Are you sure', exact: true });
  await expect.element(prompt.getByText(text)).toBeVisible();
  await prompt.getByRole('button', { name: 'OK' }).click();
  await expect.element(prompt).not.toBeInTheDocument();
}

import { expect, type Page } from '@playwright/test';

/** Answers a prompt with OK once it shows; gives the lines it said. */
export async function agree(page: Page, title: string): Promise<string[]> {
  const prompt = page.getByRole('dialog', { name: title, exact: true });
  await expect(prompt).toBeVisible();
  const lines = await prompt.getByRole('paragraph').allTextContents();
  await prompt.getByRole('button', { name: 'OK' }).click();
  await expect(prompt).toBeHidden();
  return lines;
}

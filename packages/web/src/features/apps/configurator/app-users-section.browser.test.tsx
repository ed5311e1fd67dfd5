import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderAppForm, saveButton } from './testing/render-app-form.tsx';
import { pickedBuyers, sampleApp } from './testing/sample-app.ts';

const rowOf = (name: string) => page.getByRole('listitem').filter({ hasText: name });
const picker = page.getByRole('combobox', { name: 'Add users' });

describe('app users', () => {
  it('[UACC-001] [UACC-009] [AMB-090] list id, name, role, e-mail and whether the account has access', async () => {
    await renderAppForm({ app: { ...sampleApp, buyers: [...pickedBuyers] } });
    const expected = { B: 'Buyer', QA: 'Tester', SB: 'Super buyer (sees all streams)' } as const;
    for (const { id, name, email, role, has_access: hasAccess } of pickedBuyers) {
      for (const text of [name, email, `#${id}`, hasAccess ? 'Account has access' : 'Account has no access']) {
        await expect.element(rowOf(name).getByText(text, { exact: true })).toBeInTheDocument();
      }
      for (const badge of role.split(', ')) {
        expect(
          Object.entries(expected).some(([letters, text]) => letters === badge && rowOf(name).element().textContent.includes(text)),
        ).toBe(true);
      }
    }
  });

  it('[UACC-002] [UACC-003] [UACC-008] can be marked removed, which counts on saving and can be undone before', async () => {
    const { saves } = await renderAppForm({ app: sampleApp, save: async () => sampleApp });
    await page.getByRole('button', { name: 'Remove Sam Boyd' }).click();
    await expect.element(rowOf('Sam Boyd').getByText('Removed on save')).toBeInTheDocument();
    await page.getByRole('button', { name: 'Undo the removal of Sam Boyd' }).click();
    await expect.element(rowOf('Sam Boyd').getByText('Removed on save')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Remove Ivan Marsh' }).click();
    await saveButton.click();
    await page.getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => saves).toMatchObject([{ body: { userIds: [33] } }]);
  });

  it('[UACC-004] [UACC-005] [UACC-007] new ones are picked, several at once, from those who are not added yet', async () => {
    const { saves } = await renderAppForm({ app: sampleApp, save: async () => sampleApp });
    await page.getByRole('button', { name: 'Remove Sam Boyd' }).click();
    await picker.click();
    const options = page.getByRole('listbox', { name: 'Add users' }).getByRole('option');
    await expect
      .poll(() => options.elements().map((option) => option.textContent))
      .toEqual(['Quinn Ames · quinn@x.y · QA', 'Uma Ray · uma@x.y · B, QA']);
    await options.nth(0).click();
    await expect.element(rowOf('Quinn Ames').getByText('New')).toBeInTheDocument();
    await options.nth(0).click();
    await expect.element(rowOf('Uma Ray').getByText('New')).toBeInTheDocument();
    await expect.poll(() => options.elements()).toHaveLength(0);
    await userEvent.keyboard('{Escape}');
    await page.getByRole('button', { name: 'Remove Uma Ray' }).click();
    await expect.element(rowOf('Uma Ray')).not.toBeInTheDocument();
    await picker.click();
    await expect.poll(() => options.elements().map((option) => option.textContent)).toEqual(['Uma Ray · uma@x.y · B, QA']);
    await userEvent.keyboard('{Escape}');
    await saveButton.click();
    await page.getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => saves).toMatchObject([{ body: { userIds: [31, 32] } }]);
  });

  it('leave the keyboard at the picker when one was added, and when the only new one is taken back', async () => {
    await renderAppForm();
    const press = async (name: string): Promise<void> => {
      const element = page.getByRole('button', { name, exact: true }).element();
      if (element instanceof HTMLElement) element.focus();
      await userEvent.keyboard('{Enter}');
    };
    await picker.click();
    await page.getByRole('option', { name: /Quinn Ames/ }).click();
    await userEvent.keyboard('{Escape}');
    await expect.element(picker).toHaveFocus();
    await press('Remove Quinn Ames');
    await expect.element(rowOf('Quinn Ames')).not.toBeInTheDocument();
    await expect.element(picker).toHaveFocus();
  });

  it('[UACC-004] say when there is nobody yet, and let somebody be picked', async () => {
    await renderAppForm();
    await expect.element(page.getByText('No buyer has access to this app.')).toBeVisible();
    await expect.element(picker).toBeEnabled();
  });
});

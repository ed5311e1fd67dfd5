import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { DialogForm } from './dialog-form.tsx';
import { PageForm } from './page-form.tsx';
import { SaveBar } from './save-bar.tsx';
import { askConfirm, ConfirmHost } from '../ui/confirm.tsx';
import { ReadOnlyProvider, Writes } from '../ui/read-only.tsx';

const reason = 'Read only: stop viewing to make changes.';
const nothing = (): void => undefined;

it('[PERMX-027] a control that writes is disabled and says why, others are not', async () => {
  const write = vi.fn<() => void>();
  const ui = (
    <>
      <button type="button">Show</button>
      <Writes>
        <button type="button" onClick={write}>
          Delete
        </button>
      </Writes>
    </>
  );
  await renderWidget(<ReadOnlyProvider value={reason}>{ui}</ReadOnlyProvider>);
  await expect.element(page.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await expect.element(page.getByRole('button', { name: 'Delete' })).toHaveAttribute('title', reason);
  await expect.element(page.getByRole('button', { name: 'Show' })).toBeEnabled();
  await renderWidget(<ReadOnlyProvider value={null}>{ui}</ReadOnlyProvider>);
  await page.getByRole('button', { name: 'Delete' }).last().click();
  expect(write).toHaveBeenCalledOnce();
});

it('[PERMX-027] the form of a page cannot be filled, and its bar says why', async () => {
  const submit = vi.fn<() => void>();
  await renderWidget(
    <ReadOnlyProvider value={reason}>
      <PageForm label="Server" takeElement={nothing} onSubmit={submit}>
        <input aria-label="Name" />
        <SaveBar changedFields={[]} errorCount={0} unmatchedMessages={[]} save={{ isEnabled: true }} onDiscard={nothing} />
      </PageForm>
    </ReadOnlyProvider>,
  );
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toBeDisabled();
  await expect.element(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect.element(page.getByRole('region', { name: 'Save' })).toMatchTextContent(/^Read only: stop viewing/);
});

it('[PERMX-027] a dialog that writes says why it cannot, one that changes nothing stored works', async () => {
  const submit = vi.fn<() => void>();
  const form = (isLocal: boolean) => (
    <ReadOnlyProvider value={reason}>
      <DialogForm submitLabel={isLocal ? 'Add ratio' : 'Create'} isEnabled isLocal={isLocal} onSubmit={submit} onCancel={nothing}>
        <input aria-label={isLocal ? 'Ratio' : 'Note'} />
      </DialogForm>
    </ReadOnlyProvider>
  );
  await renderWidget(form(false));
  await expect.element(page.getByRole('textbox', { name: 'Note' })).toBeDisabled();
  await expect.element(page.getByRole('button', { name: 'Create' })).toBeDisabled();
  await expect.element(page.getByText(reason)).toBeVisible();
  await renderWidget(form(true));
  await page.getByRole('button', { name: 'Add ratio' }).click();
  expect(submit).toHaveBeenCalledOnce();
});

it('[PERMX-027] a prompt is not confirmed unless it changes nothing stored', async () => {
  const action = vi.fn<() => Promise<void>>(async () => undefined);
  await renderWidget(
    <ReadOnlyProvider value={reason}>
      <ConfirmHost />
    </ReadOnlyProvider>,
  );
  askConfirm({ title: 'Delete the rule?', lines: [], action });
  const dialog = page.getByRole('dialog', { name: 'Delete the rule?' });
  await expect.element(dialog.getByText(reason)).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'OK' })).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  askConfirm({ title: 'Discard changes?', lines: [], isLocal: true, action });
  await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'OK' }).click();
  expect(action).toHaveBeenCalledOnce();
});

import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { askConfirm, ConfirmHost } from './confirm.tsx';

const prompt = page.getByRole('dialog', { name: 'Are you sure?' });
const ok = page.getByRole('button', { name: 'OK' });
const cancel = page.getByRole('button', { name: 'Cancel' });
const opener = page.getByRole('button', { name: 'Archive' });
const isGone = (): Promise<void> => expect.element(prompt).not.toBeInTheDocument();

/** Opens the prompt for an action that runs until the test ends it. */
async function ask(ways: { closeOnEscape?: boolean; closeOnBackdrop?: boolean; hasCloseIcon?: boolean } = {}) {
  const run = Promise.withResolvers<void>();
  const action = vi.fn<() => Promise<void>>(() => run.promise);
  const request = { title: 'Are you sure?', lines: ['All data will be ARCHIVED!'], action, ...ways };
  await renderWidget(
    <>
      <button type="button" onClick={() => askConfirm(request)}>
        Archive
      </button>
      <ConfirmHost />
    </>,
  );
  await opener.click();
  await expect.element(page.getByText('All data will be ARCHIVED!')).toBeVisible();
  return { action, end: run.resolve, fail: run.reject };
}

describe('confirm prompt', () => {
  it("[WID-034, WID-035, WID-036] runs on 'OK', which is disabled meanwhile, and closes when it has ended", async () => {
    const { action, end } = await ask();
    await ok.click();
    await expect.element(ok).toBeDisabled();
    await expect.element(cancel).toBeDisabled();
    await expect.element(page.getByRole('button', { name: 'Close' })).not.toBeInTheDocument();
    expect(action).toHaveBeenCalledOnce();
    end();
    await isGone();
    await expect.element(opener).toHaveFocus();
  });

  it('[S22] marks what does not show in its title, and breaks a name that is wider than it', async () => {
    const wide = 'Wide'.repeat(50);
    const request = { title: 'Archive pay\u202Egpj', lines: [wide], action: async () => undefined };
    await renderWidget(
      <>
        <button type="button" onClick={() => askConfirm(request)}>
          Archive
        </button>
        <ConfirmHost />
      </>,
    );
    await opener.click();
    await expect.element(page.getByRole('dialog').getByRole('heading').getByTitle('U+202E right-to-left override')).toBeInTheDocument();
    const text = page.getByText(wide).element();
    expect(text.scrollWidth).toBe(text.clientWidth);
    await cancel.click();
  });

  it('leaves the keyboard at the row that comes after one that the action took off its list', async () => {
    function Rows() {
      const [names, setNames] = useState(['Lucky Bet', 'Goal Rush']);
      const remove = (name: string): void =>
        askConfirm({ title: 'Are you sure?', lines: [name], action: async () => setNames((all) => all.filter((one) => one !== name)) });
      return (
        <table role="grid">
          <tbody>
            {names.map((name, index) => (
              <tr key={name} tabIndex={index === 0 ? 0 : -1} data-index={index}>
                <td>
                  <button type="button" onClick={() => remove(name)}>{`Archive ${name}`}</button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      );
    }
    await renderWidget(
      <>
        <Rows />
        <ConfirmHost />
      </>,
    );
    await page.getByRole('button', { name: 'Archive Lucky Bet' }).click();
    await ok.click();
    await isGone();
    await expect.element(page.getByRole('row', { name: 'Archive Goal Rush' })).toHaveFocus();
  });

  it('moves the focus to the fallback of the section when the action removed the focused element', async () => {
    function File() {
      const [isSaved, setIsSaved] = useState(false);
      const save = (): void => askConfirm({ title: 'Are you sure?', lines: ['Twice'], action: async () => setIsSaved(true) });
      return (
        <section>
          <button type="button" data-focus-home>
            Replace
          </button>
          {!isSaved && (
            <button type="button" onClick={save}>
              Save
            </button>
          )}
        </section>
      );
    }
    await renderWidget(
      <>
        <File />
        <ConfirmHost />
      </>,
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await ok.click();
    await isGone();
    await expect.element(page.getByRole('button', { name: 'Replace' })).toHaveFocus();
  });

  it("[WID-034, WID-036] runs nothing on 'Cancel'", async () => {
    const { action } = await ask();
    await cancel.click();
    await isGone();
    expect(action).not.toHaveBeenCalled();
    await expect.element(opener).toHaveFocus();
  });

  it('[WID-035] stays while the action runs, whatever is pressed', async () => {
    const { end } = await ask();
    await ok.click();
    await expect.element(ok).toBeDisabled();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('button', { name: 'Close' })).not.toBeInTheDocument();
    await expect.element(prompt).toBeVisible();
    end();
    await isGone();
  });

  it('[WID-036] closes when the action fails, and can be asked again', async () => {
    const { fail } = await ask();
    await ok.click();
    fail(new Error('503'));
    await isGone();
    await opener.click();
    await expect.element(ok).toBeEnabled();
    await cancel.click();
    await isGone();
  });

  it('[WID-031, WID-032, WID-033] closes on Escape, X or a click beside it, each switchable', async () => {
    const { action } = await ask();
    await userEvent.keyboard('{Escape}');
    await isGone();
    await opener.click();
    await page.getByRole('button', { name: 'Close' }).click();
    await isGone();
    await opener.click();
    await expect.element(prompt).toBeVisible();
    await page.elementLocator(document.body).click({ position: { x: 5, y: 5 } });
    await isGone();
    expect(action).not.toHaveBeenCalled();
  });

  it('[WID-031, WID-032, WID-033] stays where those are switched off', async () => {
    await ask({ closeOnEscape: false, closeOnBackdrop: false, hasCloseIcon: false });
    expect(page.getByRole('button', { name: 'Close' }).elements()).toHaveLength(0);
    await userEvent.keyboard('{Escape}');
    await page.elementLocator(document.body).click({ position: { x: 5, y: 5 } });
    await expect.element(prompt).toBeVisible();
    await cancel.click();
    await isGone();
  });

  it("[WID-034] begins with the focus on 'OK'", async () => {
    await ask();
    await expect.element(ok).toHaveFocus();
    await cancel.click();
    await isGone();
  });
});

import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CursorPages } from '../../shared/listing/pages.tsx';
import { SearchField } from '../../shared/listing/search-field.tsx';
import { localSettings } from '../../shared/local-settings.ts';
import { renderPage } from '../../testing/render-pages.tsx';
import ShortcutHelp from './shortcut-help.tsx';
import { isShortcutHelpOpen, useShortcuts } from './use-shortcuts.ts';

const onGo = vi.fn<(cursor: string) => void>();
const onSave = vi.fn<() => void>();
const targets = [{ letter: 'b', label: 'The page before', href: '/before' }];

function Screen() {
  useShortcuts((letter) => targets.find((target) => target.letter === letter)?.href);
  const [text, setText] = useState<string>();
  return (
    <main>
      <SearchField value={text} onChange={setText} placeholder="Name" maxLength={99} />
      <CursorPages previous="newer" next="older" onGo={onGo} />
      <form
        data-save-bar
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        <button type="submit">Save</button>
      </form>
      <ShortcutHelp targets={targets} />
    </main>
  );
}

const search = page.getByRole('searchbox', { name: 'Search' });
const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });

beforeEach(() => {
  localSettings.singleKeys.remove();
  isShortcutHelpOpen.set(false);
  onGo.mockReset();
  onSave.mockReset();
});

describe('shortcuts of a page', () => {
  it('[KEY-001, KEY-003] focuses the search, turns pages, and types the same keys in the field', async () => {
    await renderPage(<Screen />, '/page');
    await userEvent.keyboard('/');
    await expect.element(search).toHaveFocus();
    await userEvent.keyboard('/[[j?');
    await expect.element(search).toHaveValue('/[j?');
    expect(onGo).not.toHaveBeenCalled();
    await userEvent.tab();
    await userEvent.keyboard(']');
    await userEvent.keyboard('[[');
    expect(onGo.mock.calls).toEqual([['older'], ['newer']]);
  });

  it('[KEY-004] saves the form by Ctrl+S, in a field too', async () => {
    await renderPage(<Screen />, '/page');
    await userEvent.click(search);
    await userEvent.keyboard('{Control>}s{/Control}');
    expect(onSave).toHaveBeenCalledOnce();
  });

  it('[KEY-005] opens a page by g and its letter', async () => {
    const history = await renderPage(<Screen />, '/page');
    await userEvent.keyboard('gz');
    expect(history.location.pathname).toBe('/page');
    await userEvent.keyboard('gb');
    await expect.poll(() => history.location.pathname).toBe('/before');
  });

  it('[KEY-006] lists the shortcuts and switches those of a single key off', async () => {
    await renderPage(<Screen />, '/page');
    await userEvent.keyboard('?');
    await expect.element(help).toBeVisible();
    await expect.element(help).toMatchTextContent(/Search\/.*The page beforegb/);
    await userEvent.keyboard(']');
    expect(onGo).not.toHaveBeenCalled();
    await userEvent.tab();
    await expect.element(help.getByRole('switch', { name: 'Single-key shortcuts' })).toHaveFocus();
    await userEvent.keyboard(' ');
    await userEvent.keyboard('{Escape}');
    await expect.element(help).not.toBeInTheDocument();
    await userEvent.keyboard(']');
    expect(onGo).not.toHaveBeenCalled();
    await userEvent.keyboard('{Control>}s{/Control}');
    expect(onSave).toHaveBeenCalledOnce();
  });
});

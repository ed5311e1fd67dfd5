import { useEffect, useEffectEvent, useRef } from 'react';
import { createStore } from '../../shared/external-store.ts';
import { localSettings } from '../../shared/local-settings.ts';
import { useOpenPath } from '../../shared/navigation.tsx';
import { readKey, type ShortcutCommand } from './read-key.ts';

/** The name of the key that commands are pressed with. */
export const commandKey = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** Whether the list of shortcuts is open. */
export const isShortcutHelpOpen = createStore(false);

/** Whether the command palette is open. */
export const isPaletteOpen = createStore(false);

/** Text in the command palette. */
export const paletteText = createStore('');

/** Opens the command palette with an empty field. */
export function openPalette(): void {
  paletteText.set('');
  isPaletteOpen.set(true);
}

/** Roles of elements that read letters themselves. */
const typingRoles = '[role="textbox"], [role="searchbox"], [role="combobox"], [role="listbox"], [role="menu"], [role="tree"]';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit', 'file'].includes(target.type);
  return target.isContentEditable || target.closest(`textarea, select, ${typingRoles}`) !== null;
}

/** Listens to the shortcuts of the console. `hrefOf` gives the page that a letter after `g` opens. */
export function useShortcuts(hrefOf: (letter: string) => string | undefined): void {
  const openPath = useOpenPath();
  const goSince = useRef<number | null>(null);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    // The first letters may come before the field of the palette has the focus.
    const isOutside = event.target instanceof Element && event.target.closest('[aria-modal="true"]') === null;
    if (isPaletteOpen.get() && isOutside && !event.ctrlKey && !event.metaKey && event.key.length === 1) {
      event.preventDefault();
      paletteText.set(paletteText.get() + event.key);
      return;
    }
    // Shift and the other modifiers are pressed within a sequence, too.
    if (['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'].includes(event.key)) return;
    const hasSingleKeys = localSettings.singleKeys.get() ?? true;
    const { key, code, ctrlKey, metaKey, altKey, timeStamp } = event;
    const keyPress = {
      key,
      code,
      ctrlKey,
      metaKey,
      altKey,
      timeStamp,
      isAltGraph: event.getModifierState('AltGraph'),
      isTyping: isTyping(event.target),
    };
    const command = readKey(keyPress, goSince.current, hasSingleKeys);
    goSince.current = command.goSince;
    // A dialog covers what the keys act on.
    if (command.command === null || document.querySelector('[aria-modal="true"]') !== null) return;
    const href = command.command.kind === 'go' ? hrefOf(command.command.letter) : undefined;
    if (href !== undefined) openPath(href);
    if (command.command.kind === 'go' ? href !== undefined : actions[command.command.kind]()) event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Actions of the shortcuts on the current page; false if the page has no target for it. */
const actions: Readonly<Record<Exclude<ShortcutCommand['kind'], 'go'>, () => boolean>> = {
  help: () => {
    isShortcutHelpOpen.set(true);
    return true;
  },
  palette: () => {
    openPalette();
    return true;
  },
  search: focusSearch,
  save: () => press('[data-save-bar] button[type="submit"]'),
  'next-page': () => press('[data-page-step="1"]'),
  'previous-page': () => press('[data-page-step="-1"]'),
  'next-row': () => stepRow('ArrowDown'),
  'previous-row': () => stepRow('ArrowUp'),
};

function focusSearch(): boolean {
  const field = [...document.querySelectorAll<HTMLInputElement>('main input[type="search"]')].find((input) => input.checkVisibility());
  field?.focus();
  field?.select();
  return field !== undefined;
}

/** Presses a button if it is there; true also if it is disabled, so that the browser's own shortcut does not fire instead. */
function press(selector: string): boolean {
  const button = document.querySelector<HTMLButtonElement>(`main ${selector}`);
  button?.click();
  return button !== null;
}

/** Does in a table or its side panel what the arrow key does there; from elsewhere goes to the row that is the tab stop. */
function stepRow(key: 'ArrowDown' | 'ArrowUp'): boolean {
  const focusedElement = document.activeElement;
  if (focusedElement?.closest('[data-index], aside') != null) {
    focusedElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    return true;
  }
  const row = document.querySelector<HTMLElement>('main [data-index][tabindex="0"]');
  row?.focus();
  return row !== null;
}

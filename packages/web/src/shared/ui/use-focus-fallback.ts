import { useEffect, useRef, type RefObject } from 'react';

/** A button that was pressed by keyboard, and its position in its list. */
type PressedButton = { readonly button: HTMLButtonElement; readonly group: Element | null; readonly at: number };

const buttonsOf = (group: Element): HTMLButtonElement[] => [...group.querySelectorAll<HTMLButtonElement>('button:enabled')];

function findPressed({ key, target }: KeyboardEvent): PressedButton | null {
  if ((key !== 'Enter' && key !== ' ') || !(target instanceof HTMLButtonElement)) return null;
  const group = target.closest('ul, nav');
  return { button: target, group, at: group === null ? -1 : buttonsOf(group).indexOf(target) };
}

/** The button now at that position, else the first match of the selectors, else the content of the page. */
function findSuccessor({ group, at }: PressedButton, content: HTMLElement, fallbacks: readonly string[]): HTMLElement | null {
  const buttons = group?.isConnected === true ? buttonsOf(group) : [];
  const others = fallbacks.map((selector) => content.querySelector<HTMLElement>(selector));
  return buttons[at] ?? buttons.at(-1) ?? others.find((element) => element !== null) ?? document.querySelector<HTMLElement>('main');
}

/**
 * Moves the focus when a button that was pressed by keyboard disappears or becomes disabled. Without this the focus
 * returns to the top of the page. Examples: the remove button of a filter, the last page button. The focus goes to the
 * next button of the same list, else to the first match of the selectors within the element of the returned ref, else
 * to the content of the page.
 */
export function useFocusFallback<Content extends HTMLElement>(fallbacks: readonly string[]): RefObject<Content | null> {
  const content = useRef<Content>(null);
  const pressedButton = useRef<PressedButton | null>(null);
  useEffect(() => {
    const element = content.current;
    const onKey = (event: KeyboardEvent): void => {
      pressedButton.current = findPressed(event);
    };
    const forget = (): void => {
      pressedButton.current = null;
    };
    element?.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', forget);
    return () => {
      element?.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
  // The button may disappear in a later render than the one that follows the press.
  useEffect(() => {
    const last = pressedButton.current;
    if (last === null || content.current === null || (last.button.isConnected && last.button.matches(':enabled'))) return;
    pressedButton.current = null;
    const { activeElement, body } = document;
    const isHeld = activeElement !== null && activeElement !== body && !activeElement.matches(':disabled');
    if (!isHeld || activeElement === last.button) findSuccessor(last, content.current, fallbacks)?.focus();
  });
  return content;
}

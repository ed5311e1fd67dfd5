import { useEffect, useRef, type RefObject } from 'react';

/** A button that the keyboard has pressed, and where it stood. */
type Pressed = { readonly button: HTMLButtonElement; readonly group: Element | null; readonly at: number };

const buttonsOf = (group: Element): HTMLButtonElement[] => [...group.querySelectorAll<HTMLButtonElement>('button:enabled')];

function pressedBy({ key, target }: KeyboardEvent): Pressed | null {
  if ((key !== 'Enter' && key !== ' ') || !(target instanceof HTMLButtonElement)) return null;
  const group = target.closest('ul, nav');
  return { button: target, group, at: group === null ? -1 : buttonsOf(group).indexOf(target) };
}

/** The button in its place, else what the first selector finds that finds anything, else the page's content. */
function successorOf({ group, at }: Pressed, content: HTMLElement, fallbacks: readonly string[]): HTMLElement | null {
  const left = group?.isConnected === true ? buttonsOf(group) : [];
  const others = fallbacks.map((selector) => content.querySelector<HTMLElement>(selector));
  return left[at] ?? left.at(-1) ?? others.find((element) => element !== null) ?? document.querySelector<HTMLElement>('main');
}

/**
 * Buttons that go, or are switched off, by what they do would leave the keyboard at the top of the page: a filter's cross,
 * the last step of the pages, the one that adds what was picked. The next of the same list gets it instead, or else what the
 * first of the selectors finds within the element that the ref is given to, or else the content of the page.
 */
export function useKeptFocus<Content extends HTMLElement>(fallbacks: readonly string[]): RefObject<Content | null> {
  const content = useRef<Content>(null);
  const pressed = useRef<Pressed | null>(null);
  useEffect(() => {
    const element = content.current;
    const onKey = (event: KeyboardEvent): void => {
      pressed.current = pressedBy(event);
    };
    const forget = (): void => {
      pressed.current = null;
    };
    element?.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', forget);
    return () => {
      element?.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
  // The button goes with the render that its press brings about, which may be a later one.
  useEffect(() => {
    const last = pressed.current;
    if (last === null || content.current === null || (last.button.isConnected && last.button.matches(':enabled'))) return;
    pressed.current = null;
    const { activeElement, body } = document;
    const isHeld = activeElement !== null && activeElement !== body && !activeElement.matches(':disabled');
    if (!isHeld || activeElement === last.button) successorOf(last, content.current, fallbacks)?.focus();
  });
  return content;
}

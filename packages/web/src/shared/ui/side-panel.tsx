import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, type PointerEvent, type ReactNode } from 'react';
import classes from './side-panel.module.css';

/** Widths in pixels: initial, after a double-click on the edge, and the limits. */
export const panelWidths = { initial: 480, wide: 720, minimum: 320, maximum: 960 } as const;

/** Widths at which the panel covers the list. side-panel.module.css uses the same query. */
const panelCoversList = 'screen and (max-width: 1279px)';

/** A width within the limits. */
export function clampPanelWidth(width: number): number {
  return Math.round(Math.max(panelWidths.minimum, Math.min(panelWidths.maximum, width)));
}

const keyStep = 32;

type Props = {
  /** Names the panel, e.g. `Request 918273`. */
  title: string;
  /** Beside the title: labels, buttons. */
  headExtra?: ReactNode;
  children: ReactNode;
  width: number;
  onResize: (width: number) => void;
  onClose: () => void;
  /** Up (-1) or Down (1) was pressed in the panel. */
  onStep: (by: -1 | 1) => void;
};

/** Whether an open list, menu or prompt handles Escape itself. */
function isHandledElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('[aria-modal="true"]') !== null) return true;
  return target instanceof HTMLElement && target.closest('[data-mantine-stop-propagation], [role="menu"], [data-expanded]') !== null;
}

/** Whether an element handles the Up and Down keys itself. */
function handlesArrowKeys(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, [role="tree"]') !== null;
}

/**
 * A panel at the right; the list beside it stays usable. Escape or the close button closes it. Up and Down inside it
 * select the previous or next row of the list. The left edge resizes it: by dragging, by the arrow keys, or by a
 * double-click to double width. Where the panel covers the page, it takes the focus and returns it when it closes.
 */
export function SidePanel({ title, headExtra, children, width, onResize, onClose, onStep }: Props) {
  const panel = useRef<HTMLElement>(null);
  const cross = useRef<HTMLButtonElement>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape' && !isHandledElsewhere(event.target)) onClose();
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    if (!(event.target instanceof Node) || panel.current?.contains(event.target) !== true || handlesArrowKeys(event.target)) return;
    event.preventDefault();
    onStep(event.key === 'ArrowUp' ? -1 : 1);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  // Only where the panel may cover the focused element. Beside the list, the focus stays in the list.
  useEffect(() => {
    const before = document.activeElement;
    if (!matchMedia(panelCoversList).matches) return undefined;
    cross.current?.focus();
    return () => {
      // A table returns the focus to the last selected row (use-row-focus.ts).
      if (before instanceof HTMLElement && before.closest('[role="grid"]') === null) before.focus();
    };
  }, []);

  function drag(event: PointerEvent<HTMLElement>): void {
    const right = panel.current?.getBoundingClientRect().right;
    if (right === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onResize(clampPanelWidth(right - event.clientX));
  }

  return (
    <aside ref={panel} className={classes['panel']} aria-label={title} style={{ width }} data-screen-only>
      <div
        className={classes['edge']}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onDoubleClick={() => onResize(width > panelWidths.initial ? panelWidths.initial : panelWidths.wide)}
      >
        <input
          type="range"
          className={classes['width']}
          aria-label="Width of the panel"
          min={panelWidths.minimum}
          max={panelWidths.maximum}
          step={keyStep}
          value={width}
          onChange={(event) => onResize(clampPanelWidth(event.currentTarget.valueAsNumber))}
        />
      </div>
      <div className={classes['sheet']}>
        <div className={classes['head']}>
          <h2 className={classes['title']}>{title}</h2>
          {headExtra}
          <ActionIcon ref={cross} variant="subtle" color="neutral" aria-label="Close panel" title="Close panel (Escape)" onClick={onClose}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
        <div className={classes['body']}>{children}</div>
      </div>
    </aside>
  );
}

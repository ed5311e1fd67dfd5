import { Tooltip, type FloatingPosition } from '@mantine/core';
import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useGridTabIndex } from './grid-tab-index.ts';
import classes from './hover-tooltip.module.css';
import { timeSpans } from './time-spans.ts';
import { VisibleText } from './visible-text.tsx';

/** The positions of the specification and the kit's names for them (WID-042). */
export const tooltipPositions = {
  'right-to-bottom': 'right-start',
  'left-to-bottom': 'left-start',
  'right-to-top': 'right-end',
  'left-to-top': 'left-end',
  'right-center': 'right',
  'left-center': 'left',
  'bottom-to-right': 'bottom-start',
  'bottom-to-left': 'bottom-end',
} as const satisfies Record<string, FloatingPosition>;
export type TooltipPosition = keyof typeof tooltipPositions;

type Props = {
  label: ReactNode;
  children: ReactNode;
  position?: TooltipPosition;
  /** Lets the keyboard reach a target that is no control itself; leave out around buttons and links. */
  isFocusable?: boolean;
  /** A press shows the label as well: for targets that do nothing else. */
  opensOnPress?: boolean;
  className?: string;
};

/**
 * Shows a label beside its target on hover and focus. It goes away by itself 3 seconds after the pointer last moved,
 * by Escape, or when the pointer leaves; it stays while the target has the focus or the pointer rests on the label
 * (WID-039, WCAG 1.4.13). Fingers cannot hover: a tap shows it for the 3 seconds. The label is mounted only while it
 * is shown: tables hold hundreds of these.
 */
export function HoverTooltip({
  label,
  children,
  position = 'bottom-to-right',
  isFocusable = false,
  opensOnPress = false,
  className,
}: Props) {
  const target = useRef<HTMLSpanElement>(null);
  const tabIndex = useGridTabIndex();
  const id = useId();
  const { isShown, show, hold, leave, hide } = useShownFor(timeSpans.tooltip);

  useEffect(() => {
    if (!isShown) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hide();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isShown, hide]);

  return (
    <>
      <span
        ref={target}
        data-tooltip
        className={className === undefined ? classes['target'] : `${classes['target'] ?? ''} ${className}`}
        aria-describedby={isShown ? id : undefined}
        tabIndex={isFocusable ? (tabIndex ?? 0) : undefined}
        onPointerEnter={show}
        onPointerMove={show}
        onPointerLeave={(event) => event.pointerType !== 'touch' && leave()}
        onPointerDown={(event) => (opensOnPress || event.pointerType === 'touch' ? show() : hide())}
        onFocus={(event) => {
          if (event.target.matches(':focus-visible')) hold();
        }}
        onBlur={hide}
      >
        {children}
      </span>
      {isShown && (
        <Tooltip
          opened
          target={target}
          label={<span id={id}>{typeof label === 'string' ? <VisibleText text={label} /> : label}</span>}
          multiline
          maw={320}
          mod={{ interactive: true }}
          position={tooltipPositions[position]}
          onPointerEnter={hold}
          onPointerLeave={leave}
        />
      )}
    </>
  );
}

/** How long a pointer may take from the target to the label before the label goes away, in milliseconds. */
const crossing = 120;

/** Hides the label that is shown now; two at once would cover each other. */
let hideShown: (() => void) | null = null;

function useShownFor(duration: number) {
  const [isShown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    setShown(false);
  }, []);
  const reveal = useCallback(() => {
    if (hideShown !== hide) hideShown?.();
    hideShown = hide;
    setShown(true);
  }, [hide]);
  const hideIn = useCallback(
    (wait: number) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(hide, wait);
    },
    [hide],
  );
  const hold = useCallback(() => {
    clearTimeout(timer.current);
    reveal();
  }, [reveal]);
  const show = useCallback(() => {
    reveal();
    hideIn(duration);
  }, [reveal, hideIn, duration]);
  const leave = useCallback(() => hideIn(crossing), [hideIn]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { isShown, show, hold, leave, hide };
}

import { Tooltip, type FloatingPosition } from '@mantine/core';
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useGridTabIndex } from './grid-tab-index.ts';
import classes from './hover-tooltip.module.css';
import { timeSpans } from './display-limits.ts';
import { VisibleText } from './visible-text.tsx';
import { IconHelpCircle, IconInfoCircle, type Icon } from '@tabler/icons-react';

/** The positions of the specification and the kit's names for them. */
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

type HoverTooltipProps = {
  label: ReactNode;
  children: ReactNode;
  position?: TooltipPosition;
  /** Makes a target focusable that is not a control. Leave it out around buttons and links. */
  isFocusable?: boolean;
  /** A press shows the label too. Use it for targets without an action of their own. */
  opensOnPress?: boolean;
  className?: string;
  /** Attributes of the target, so that it needs no element within. */
  data?: Readonly<Record<`data-${string}`, string>>;
};

/**
 * Shows a label beside its target on hover and focus. It closes 3 seconds after the pointer last moved, on Escape, or
 * when the pointer leaves. It stays open while the target has the focus or the pointer is on the label (WCAG 1.4.13).
 * On touch screens a tap opens it for 3 seconds. The label and its effects are mounted only while it is shown, because tables
 * contain hundreds of tooltips.
 */
export function HoverTooltip({
  label,
  children,
  position = 'bottom-to-right',
  isFocusable = false,
  opensOnPress = false,
  className,
  data,
}: HoverTooltipProps) {
  const target = useRef<HTMLSpanElement>(null);
  const tabIndex = useGridTabIndex();
  const id = useId();
  const [isShown, setShown] = useState(false);
  const [{ show, hold, leave, hide, stop }] = useState(() => showingFor(timeSpans.tooltip, setShown));

  return (
    <>
      <span
        ref={target}
        data-tooltip
        {...data}
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
        <ShownLabel
          target={target}
          id={id}
          label={label}
          position={position}
          onHold={hold}
          onLeave={leave}
          onHide={hide}
          onUnmount={stop}
        />
      )}
    </>
  );
}

type LabelProps = Pick<HoverTooltipProps, 'label'> & {
  target: RefObject<HTMLElement | null>;
  id: string;
  position: TooltipPosition;
  onHold: () => void;
  onLeave: () => void;
  onHide: () => void;
  onUnmount: () => void;
};

function ShownLabel({ target, id, label, position, onHold, onLeave, onHide, onUnmount }: LabelProps) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onHide();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      onUnmount();
    };
  }, [onHide, onUnmount]);
  return (
    <Tooltip
      opened
      target={target}
      label={<span id={id}>{typeof label === 'string' ? <VisibleText text={label} /> : label}</span>}
      multiline
      maw={320}
      mod={{ interactive: true }}
      position={tooltipPositions[position]}
      onPointerEnter={onHold}
      onPointerLeave={onLeave}
    />
  );
}

/** Milliseconds the pointer may take from the target to the label before the label closes. */
const crossingTime = 120;

/** Hides the label that is open. Two open labels would cover each other. */
let hideShown: (() => void) | null = null;

/** When a label is shown and hidden; one hook for all of it, because tables mount hundreds of tooltips at once. */
function showingFor(duration: number, setShown: (isShown: boolean) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const hide = (): void => {
    stop();
    setShown(false);
  };
  const reveal = (): void => {
    if (hideShown !== hide) hideShown?.();
    hideShown = hide;
    setShown(true);
  };
  const hideIn = (wait: number): void => {
    stop();
    timer = setTimeout(hide, wait);
  };
  return {
    hide,
    stop,
    hold: () => {
      stop();
      reveal();
    },
    show: () => {
      reveal();
      hideIn(duration);
    },
    leave: () => hideIn(crossingTime),
  };
}

/** The icons that carry a tooltip. */
export const tooltipIcons = { info: IconInfoCircle, question: IconHelpCircle } as const satisfies Record<string, Icon>;

const names: Record<keyof typeof tooltipIcons, string> = { info: 'Information', question: 'Help' };

type TooltipIconProps = {
  /** Text of the tooltip. */
  label: string;
  kind?: keyof typeof tooltipIcons;
  size?: IconSize;
  position?: TooltipPosition;
};

/** An icon beside a label or heading that explains it in a tooltip, on hover, tap and focus. */
export function TooltipIcon({ label, kind = 'question', size = 'm', position = 'right-to-bottom' }: TooltipIconProps) {
  const Picture = tooltipIcons[kind];
  return (
    <HoverTooltip label={label} position={position} opensOnPress>
      <button type="button" className={classes['icon']} aria-label={`${names[kind]}: ${label}`} data-kind={kind} data-size={size}>
        <Picture size={iconSizes[size]} stroke={1.8} aria-hidden />
      </button>
    </HoverTooltip>
  );
}

/** Pixels of the icon sizes of the specification. */
export const iconSizes = { xs: 12, s: 14, m: 16, l: 20, xl: 24 } as const;
export type IconSize = keyof typeof iconSizes;

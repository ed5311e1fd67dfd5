import { Tooltip, type FloatingPosition } from '@mantine/core';
import { useEffect, useId, useState, type ReactNode } from 'react';
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
  /** A function is called when the label is shown. */
  label: ReactNode | (() => string);
  children: ReactNode;
  position?: TooltipPosition;
  /** Makes a target focusable that is not a control. Leave it out around buttons and links. */
  isFocusable?: boolean;
  /** A press shows the label too. Use it for targets without an action of their own. */
  opensOnPress?: boolean;
  className?: string;
  /** Attributes of the target, so that it needs no element within. */
  attributes?: TargetAttributes;
};

type TargetAttributes = Readonly<Record<`data-${string}`, string>> & { role?: 'img'; 'aria-label'?: string };

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
  attributes,
}: HoverTooltipProps) {
  const tabIndex = useGridTabIndex();
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [{ show, hold, leave, hide, stop }] = useState(() => showingFor(timeSpans.tooltip, setTarget));

  return (
    <>
      <span
        data-tooltip
        {...attributes}
        className={className === undefined ? classes['target'] : `${classes['target'] ?? ''} ${className}`}
        tabIndex={isFocusable ? (tabIndex ?? 0) : undefined}
        onPointerEnter={show}
        onPointerMove={show}
        onPointerLeave={(event) => event.pointerType !== 'touch' && leave()}
        onPointerDown={(event) => (opensOnPress || event.pointerType === 'touch' ? show(event) : hide())}
        onFocus={(event) => {
          if (event.target.matches(':focus-visible')) hold(event);
        }}
        onBlur={hide}
      >
        {children}
      </span>
      {target !== null && <ShownLabel target={target} label={label} position={position} onHold={stop} onLeave={leave} onHide={hide} />}
    </>
  );
}

type LabelProps = Pick<HoverTooltipProps, 'label'> & {
  target: HTMLElement;
  position: TooltipPosition;
  /** Keeps the label. */
  onHold: () => void;
  onLeave: () => void;
  onHide: () => void;
};

function ShownLabel({ target, label, position, onHold, onLeave, onHide }: LabelProps) {
  const id = useId();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onHide();
    };
    document.addEventListener('keydown', onKey);
    target.setAttribute('aria-describedby', id);
    return () => {
      document.removeEventListener('keydown', onKey);
      target.removeAttribute('aria-describedby');
      onHold();
    };
  }, [target, id, onHold, onHide]);
  const shownLabel = typeof label === 'function' ? label() : label;
  return (
    <Tooltip
      opened
      target={target}
      label={
        <span id={id} className={classes['label']}>
          {typeof shownLabel === 'string' ? <VisibleText text={shownLabel} /> : shownLabel}
        </span>
      }
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

type TargetEvent = { currentTarget: HTMLElement };

/** When a label is shown and hidden; one hook for all of it, because tables mount hundreds of tooltips at once. */
function showingFor(duration: number, setTarget: (target: HTMLElement | null) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const hide = (): void => {
    stop();
    setTarget(null);
  };
  const hold = ({ currentTarget }: TargetEvent): void => {
    stop();
    if (hideShown !== hide) hideShown?.();
    hideShown = hide;
    setTarget(currentTarget);
  };
  const hideIn = (wait: number): void => {
    stop();
    timer = setTimeout(hide, wait);
  };
  return {
    hide,
    stop,
    hold,
    show: (event: TargetEvent): void => {
      hold(event);
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

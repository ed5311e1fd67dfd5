import { IconHelpCircle, IconInfoCircle, type Icon } from '@tabler/icons-react';
import { HoverTooltip, type TooltipPosition } from './hover-tooltip.tsx';
import { iconSizes, type IconSize } from './icon-size.ts';
import classes from './tooltip-icon.module.css';

/** The icons that carry a tooltip (WID-041). */
export const tooltipIcons = { info: IconInfoCircle, question: IconHelpCircle } as const satisfies Record<string, Icon>;

const names: Record<keyof typeof tooltipIcons, string> = { info: 'Information', question: 'Help' };

type Props = {
  /** What the tooltip says. */
  label: string;
  kind?: keyof typeof tooltipIcons;
  size?: IconSize;
  position?: TooltipPosition;
};

/** An icon beside a label or heading that explains it in a tooltip, on hover, tap and focus. */
export function TooltipIcon({ label, kind = 'question', size = 'm', position = 'right-to-bottom' }: Props) {
  const Picture = tooltipIcons[kind];
  return (
    <HoverTooltip label={label} position={position} opensOnPress>
      <button type="button" className={classes['target']} aria-label={`${names[kind]}: ${label}`} data-kind={kind} data-size={size}>
        <Picture size={iconSizes[size]} stroke={1.8} aria-hidden />
      </button>
    </HoverTooltip>
  );
}

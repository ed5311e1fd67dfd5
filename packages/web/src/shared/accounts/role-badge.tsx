import { VisuallyHidden } from '@mantine/core';
import type { Panel } from '@switchyard/contract/permissions';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';
import classes from './role-badge.module.css';
import { roleTooltip } from './role-badges.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import { withMarks } from '../ui/hidden-characters.ts';

type Props = {
  panel: Panel;
  /** The letters, e.g. `SB`. */
  badge: string;
  /** The role's label, shown for roles that the specification does not describe. */
  roleName?: string;
};

/** The letters of a role; what it may do stands in the tooltip (WID-079, WID-080, USER-048, BUY-034). */
export function RoleBadge({ panel, badge, roleName }: Props) {
  const tooltip = roleName === undefined ? roleTooltip(panel, badge) : roleTooltip(panel, badge, roleName);
  return (
    <HoverTooltip label={tooltip} isFocusable>
      <span className={classes['badge']} data-tone={panel === 'user' ? 'accent' : 'info'}>
        <span aria-hidden>
          <VisibleText text={badge} />
        </span>
        <VisuallyHidden>{withMarks(tooltip)}</VisuallyHidden>
      </span>
    </HoverTooltip>
  );
}

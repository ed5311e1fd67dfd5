import { VisuallyHidden } from '@mantine/core';
import type { Panel } from '@switchyard/contract/permissions';
import type { PermissionRow } from '@switchyard/contract/roles';
import type { CSSProperties } from 'react';
import { withMarks } from '../ui/hidden-characters.ts';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { permissionGroups } from './permission-groups.ts';
import classes from './role-badge.module.css';
import { roleHue, roleTooltip, seededRoleId, type BadgeRole } from './role-badges.ts';

type Props = {
  panel: Panel;
  /** The letters as the server gives them, e.g. `SB`. */
  badge: string;
  /** The role's label, shown for roles that the specification does not describe. */
  roleName?: string;
  /** The role, where it is known. */
  role?: BadgeRole | undefined;
};

/** The letters of a role. The tooltip lists its permissions. */
export function RoleBadge({ panel, badge, roleName, role }: Props) {
  const tooltip = roleName === undefined ? roleTooltip(panel, badge) : roleTooltip(panel, badge, roleName);
  const id = role?.id ?? (roleName === undefined ? seededRoleId(panel, badge) : undefined);
  return (
    <HoverTooltip label={<RoleTooltip text={tooltip} permissions={role?.permissions} />} isFocusable>
      <span className={classes['badge']} data-tone={panel === 'user' ? 'accent' : 'info'} {...(id === undefined ? {} : colourOf(id))}>
        <span aria-hidden>
          <VisibleText text={role?.letters ?? badge} />
        </span>
        <VisuallyHidden>{withMarks(tooltip)}</VisuallyHidden>
      </span>
    </HoverTooltip>
  );
}

function colourOf(id: number): { 'data-role': number; style: CSSProperties & { '--role-hue': number } } {
  return { 'data-role': id, style: { '--role-hue': roleHue(id) } };
}

function RoleTooltip({ text, permissions }: { text: string; permissions: readonly PermissionRow[] | undefined }) {
  return (
    <>
      <VisibleText text={text} />
      {permissions !== undefined && permissions.length > 0 && (
        <ul className={classes['permissions']}>
          {permissionGroups(permissions).map(({ name, permissions: own }) => (
            <li key={name}>
              {name}: {own.map(({ label, description }) => description ?? label).join(', ')}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

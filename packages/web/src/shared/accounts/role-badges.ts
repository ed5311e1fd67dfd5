import { roleMeanings } from '@switchyard/contract/account-texts';
import { seededRoles, type Panel } from '@switchyard/contract/permissions';

/**
 * The tooltip of a role's badge (USER-048, BUY-034, AMB-162); a role made here has its own name, and the letters alone when
 * that is unknown, for it may have the letters of a role of the specification.
 */
export function roleTooltip(panel: Panel, badge: string, roleName?: string): string {
  const isSeeded = seededRoles.some(
    (role) => role.panel === panel && role.badge === badge && (roleName === undefined || role.name === roleName),
  );
  const meaning = isSeeded ? roleMeanings[badge] : undefined;
  return meaning === undefined ? (roleName ?? badge) : `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}`;
}

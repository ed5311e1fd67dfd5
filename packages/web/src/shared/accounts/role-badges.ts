import { roleMeanings } from '@switchyard/contract/account-texts';
import { seededRoles, type Panel } from '@switchyard/contract/permissions';
import type { PermissionRow, RoleChoice } from '@switchyard/contract/roles';

/** A role as a badge shows it. Permissions are absent where the reader may not see them. */
export type BadgeRole = { readonly id: number; readonly letters: string; readonly permissions?: readonly PermissionRow[] | undefined };

const seededIds: ReadonlySet<number> = new Set(seededRoles.map(({ id }) => id));
const seededBadges: readonly string[] = seededRoles.map(({ badge }) => badge);

/**
 * The roles of a panel by label, as badges show them. Seeded roles keep their letters. A role made here that would have the
 * letters of another one has the first two letters of its name, followed by a number where these are used as well. Older
 * roles choose first, so that a new role never changes the letters of another.
 */
export function badgeRoles(
  roles: readonly (Pick<RoleChoice, 'id' | 'label' | 'badge'> & { permissions?: readonly PermissionRow[] | undefined })[],
): ReadonlyMap<string, BadgeRole> {
  const takenBadges = new Set(seededBadges);
  return new Map(
    roles
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, label, badge, permissions }) => {
        const letters = seededIds.has(id) ? badge : freeLetters(label, badge, takenBadges);
        takenBadges.add(letters);
        return [label, { id, letters, permissions }];
      }),
  );
}

const segmenter = new Intl.Segmenter('en');

function freeLetters(label: string, badge: string, takenLetters: ReadonlySet<string>): string {
  if (!takenLetters.has(badge)) return badge;
  const letters = Array.from(segmenter.segment(label.replaceAll(/\s/g, '').toUpperCase()), ({ segment }) => segment);
  const two = letters.slice(0, 2).join('');
  let free = two;
  for (let number = 2; takenLetters.has(free); number += 1) free = `${two}${number}`;
  return free;
}

/** The id of the seeded role with these letters. */
export function seededRoleId(panel: Panel, badge: string): number | undefined {
  return seededRoles.find((role) => role.panel === panel && role.badge === badge)?.id;
}

/** The hue of a role's badge in degrees. By the golden angle, roles with ids near each other have hues far apart. */
export function roleHue(id: number): number {
  return Math.round((id * 137.508) % 360);
}

/**
 * The tooltip of a role's badge; a role made here has its own name, and the letters alone when
 * that is unknown, because its letters may equal those of a specified role.
 */
export function roleTooltip(panel: Panel, badge: string, roleName?: string): string {
  const isSeeded = seededRoles.some(
    (role) => role.panel === panel && role.badge === badge && (roleName === undefined || role.name === roleName),
  );
  const meaning = isSeeded ? roleMeanings[badge] : undefined;
  return meaning === undefined ? (roleName ?? badge) : `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}`;
}

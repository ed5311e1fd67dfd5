import { seededRoles, type Panel } from '@switchyard/contract/permissions';

/** What a badge stands for and what its role may do (USER-048, BUY-034, AMB-162). */
export type RoleBadgeText = { name: string; allows: string };

const texts: Record<Panel, ReadonlyMap<string, RoleBadgeText>> = {
  user: new Map([
    ['S', { name: 'Super admin', allows: 'all functions, creates other super admins and any users' }],
    ['A', { name: 'Admin', allows: 'almost all functions, creates admins and users' }],
    ['M', { name: 'App manager', allows: 'creates and partly edits apps, assigns them, creates buyers' }],
    ['T', { name: 'Log reviewer', allows: 'reviews Events, Pushes, Conversion' }],
  ]),
  buyer: new Map([
    ['B', { name: 'Buyer', allows: '' }],
    ['QA', { name: 'Tester', allows: '' }],
    ['SB', { name: 'Super buyer', allows: 'sees all streams' }],
  ]),
};

/** Whether letters and name are those of a role of the specification; a role made here may have the same letters. */
function isSeeded(panel: Panel, badge: string, roleName: string): boolean {
  return seededRoles.some((role) => role.panel === panel && role.badge === badge && role.name === roleName);
}

/** The tooltip of a role's badge; a role made here has its own name, and the letters alone when that is unknown. */
export function roleTooltip(panel: Panel, badge: string, roleName?: string): string {
  const text = roleName === undefined || isSeeded(panel, badge, roleName) ? texts[panel].get(badge) : undefined;
  if (text === undefined) return roleName ?? badge;
  return text.allows === '' ? text.name : `${text.name} (${text.allows})`;
}

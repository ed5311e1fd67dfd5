import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { stopClock } from '../../testing/clock.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { RoleBadge } from './role-badge.tsx';
import { badgeRoles } from './role-badges.ts';

describe('role badges', () => {
  it.each([
    ['WID-080', 'user', 'S', 'Super admin (all functions, creates other super admins and any users)'],
    ['USER-048', 'user', 'A', 'Admin (almost all functions, creates admins and users)'],
    ['USER-048', 'user', 'M', 'App manager (creates and partly edits apps, assigns them, creates buyers)'],
    ['USER-048', 'user', 'T', 'Log reviewer (reviews Events, Pushes, Conversion)'],
    ['WID-079', 'buyer', 'B', 'Buyer'],
    ['BUY-034', 'buyer', 'QA', 'Tester'],
    ['BUY-034', 'buyer', 'SB', 'Super buyer (sees all streams)'],
  ] as const)('[%s] in the panel %s, %s means: %s', async (_id, panel, badge, text) => {
    await renderWidget(<RoleBadge panel={panel} badge={badge} />);
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    const letters = page.getByText(badge, { exact: true });
    await letters.hover();
    await expect.element(page.getByRole('tooltip')).toHaveTextContent(text);
  });

  it('[AMB-162] of a role made here say its own name, also with letters that another panel knows', async () => {
    await renderWidget(<RoleBadge panel="user" badge="SB" roleName="Shop Boss" />);
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await page.getByText('SB', { exact: true }).hover();
    await expect.element(page.getByRole('tooltip')).toHaveTextContent('Shop Boss');
  });

  it('[AMB-162] of roles with the same letters differ in letters and colour', async () => {
    const roleBadges = badgeRoles(
      ['Quality Auditor', 'Quick Ads', 'Quiet Apps'].map((label, at) => ({ id: 11 + at, label, badge: 'QA', permissions: [] })),
    );
    const { container } = await renderWidget(
      <>
        <RoleBadge panel="buyer" badge="QA" roleName="QA" role={{ id: 6, letters: 'QA' }} />
        {[...roleBadges].map(([label, role]) => (
          <RoleBadge key={role.id} panel="buyer" badge="QA" roleName={label} role={role} />
        ))}
      </>,
    );
    const badges = [...container.querySelectorAll('[data-role]')];
    expect(badges.map((badge) => badge.querySelector('[aria-hidden]')?.textContent)).toEqual(['QA', 'QU', 'QU2', 'QU3']);
    expect(new Set(badges.map((badge) => getComputedStyle(badge).color)).size).toBe(4);
  });

  it('[AMB-162] show the permissions of a role if they are known', async () => {
    const permissions = [
      { id: 2, label: 'manager_app_create', description: 'Create apps', panel: 'user', group: 'App' },
      { id: 3, label: 'manager_app_edit', description: null, panel: 'user', group: 'App' },
      { id: 12, label: 'manager_settings_roles', description: 'Manage roles', panel: 'user', group: 'Settings' },
    ] as const;
    await renderWidget(<RoleBadge panel="user" badge="TR" roleName="Traffic reviewer" role={{ id: 11, letters: 'TR', permissions }} />);
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await page.getByText('TR', { exact: true }).hover();
    await expect
      .element(page.getByRole('tooltip'))
      .toMatchTextContent(/^Traffic reviewerApp: Create apps, manager_app_editSettings: Manage roles$/);
  });
});

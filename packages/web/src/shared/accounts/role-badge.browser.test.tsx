import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { stopClock } from '../../testing/clock.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { RoleBadge } from './role-badge.tsx';

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
});

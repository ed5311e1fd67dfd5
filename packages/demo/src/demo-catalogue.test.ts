import { cloakModes, linkStatuses, verticalIds } from '@switchyard/contract/apps';
import { seededRoles } from '@switchyard/contract/permissions';
import { describe, expect, it } from 'vitest';
import { demoAccounts, demoPassword } from './demo-accounts.ts';
import { demoApps } from './demo-apps.ts';
import { demoLinks, demoServers } from './demo-servers.ts';
import { demoBuyerApps, demoStreams } from './demo-streams.ts';

describe('the demo', () => {
  it('has forty apps whose names, bundles and domains are each used once', () => {
    expect(demoApps).toHaveLength(40);
    for (const key of ['name', 'bundle', 'domain'] as const) expect(new Set(demoApps.map((app) => app[key].toLowerCase())).size).toBe(40);
  });

  it('keeps to the rules for names, bundles and domains, and to reserved domains', () => {
    for (const app of demoApps) {
      expect(app.name).toBe(app.name.trim());
      expect(app.bundle).toMatch(/^com\.[a-z]+\.app$/);
      expect(app.domain).toMatch(/^[a-z-]+\.example$/);
      expect(app.domain).not.toMatch(/^http/);
    }
  });

  it('shows every vertical, cloak mode and colour of a domain, archived and watched apps, and a name that is cut', () => {
    expect(new Set(demoApps.map((app) => app.vertical))).toEqual(new Set(verticalIds));
    expect(new Set(demoApps.map((app) => app.cloakMode))).toEqual(new Set(cloakModes));
    // The console marks domains under 7 days and certificates under 14, and truncates names after 28 characters.
    const warns = 7;
    const colours = demoApps.map(({ expiresInDays: days }) =>
      days === null || days < 0 ? 'danger' : days < warns ? 'warning' : 'success',
    );
    expect(new Set(colours)).toEqual(new Set(['danger', 'warning', 'success']));
    expect(demoApps.filter((app) => app.archived).length).toBeGreaterThan(2);
    expect(new Set(demoApps.map((app) => app.monitor?.status))).toEqual(new Set(['ok', 'warning', 'banned', undefined]));
    expect(demoApps.some((app) => app.name.length > 28)).toBe(true);
  });

  it('links apps to servers in every stage, each pair once, with certificates near their end among them', () => {
    const links = demoLinks();
    expect(new Set(links.map((link) => link.status))).toEqual(new Set(linkStatuses));
    expect(new Set(links.map((link) => `${link.bundle} ${link.server}`)).size).toBe(links.length);
    expect(links.some((link) => link.sslInDays !== null && link.sslInDays < 14)).toBe(true);
    expect(demoServers).toHaveLength(6);
  });

  it('has an account for each of the seven roles that the shared password opens, and a restricted one', () => {
    const signingIn = demoAccounts.filter((account) => account.signsIn);
    expect(new Set(signingIn.map((account) => account.roleId))).toEqual(new Set(seededRoles.map((role) => role.id)));
    expect(signingIn.filter((account) => account.onlyApps !== null)).toHaveLength(1);
    expect(new Set(demoAccounts.map((account) => account.email)).size).toBe(demoAccounts.length);
    const bundles = demoApps.map((app) => app.bundle);
    for (const account of demoAccounts) expect(bundles).toEqual(expect.arrayContaining([...(account.onlyApps ?? [])]));
  });

  it('has a password that the rules for passwords accept', () => {
    expect(demoPassword.length).toBeGreaterThanOrEqual(12);
    for (const kind of [/\d/, /[a-z]/, /[A-Z]/]) expect(demoPassword).toMatch(kind);
  });

  it('has about 120 streams with uids of their own, some of testers, whose buyers may use the app', () => {
    expect(demoStreams.length).toBeGreaterThan(100);
    expect(demoStreams.length).toBeLessThan(140);
    expect(new Set(demoStreams.map((stream) => stream.uid)).size).toBe(demoStreams.length);
    expect(demoStreams.some((stream) => stream.isQa)).toBe(true);
    const allowedPairs = new Set(demoBuyerApps().map((pair) => `${pair.bundle} ${pair.buyerEmail}`));
    for (const stream of demoStreams) expect(allowedPairs).toContain(`${stream.bundle} ${stream.buyerEmail}`);
  });
});

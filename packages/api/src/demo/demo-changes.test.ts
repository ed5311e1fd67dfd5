import { auditActions, type AuditEntity } from '@switchyard/contract/audit';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { describe, expect, it } from 'vitest';
import { demoAccounts } from '@switchyard/demo/demo-accounts';
import { demoApps } from '@switchyard/demo/demo-apps';
import { demoAuditEntries, demoBlackIps } from './demo-changes.ts';
import { demoServers } from '@switchyard/demo/demo-servers';

const now = new Date('2026-11-20T10:00:00Z');
const pushFile = { push_file_at: new Date('2026-10-01T08:00:00Z'), push_file_name: 'goal-rush.json', push_file_project: 'goal-rush' };
const entries = demoAuditEntries(
  {
    accounts: new Map(demoAccounts.map(({ email }, index) => [email, index + 1])),
    servers: new Map(demoServers.map(({ name }, index) => [name, index + 1])),
    apps: demoApps.map(({ name, bundle, archived }, index) => ({
      id: index + 1,
      name,
      bundle,
      archivedAt: archived ? new Date('2026-11-01T08:00:00Z') : null,
      secrets: bundle === 'com.goalrush.app' ? pushFile : null,
    })),
  },
  now,
);

describe('what the staff of the demo changed', () => {
  it('is listed oldest first, in kinds that the trail knows', () => {
    const times = entries.map(({ at }) => Number(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.max(...times)).toBeLessThan(now.getTime());
    const knownActions = new Set(
      Object.entries(auditActions).flatMap(([entity, actions]) => actions.map((action) => `${entity} ${action}`)),
    );
    const kinds = new Set(entries.map(({ entity, action }) => `${entity} ${action}`));
    expect([...kinds].filter((kind) => !knownActions.has(kind))).toEqual([]);
    expect(kinds.size).toBeGreaterThan(8);
  });

  it('names the app of everything about one, for readers of some apps', () => {
    const ofApps: readonly string[] = ['app', 'firebase'] satisfies AuditEntity[];
    for (const entry of entries) expect(entry.app_id !== null).toBe(ofApps.includes(entry.entity));
    expect(entries.filter(({ action }) => action === 'archive')).toHaveLength(demoApps.filter(({ archived }) => archived).length);
    const upload = entries.find(({ action }) => action === 'upload');
    expect(upload?.changes).toBe(
      '[{"field":"configuration","from":null,"to":null},{"field":"fileName","from":null,"to":"goal-rush.json"},{"field":"projectId","from":null,"to":"goal-rush"}]',
    );
  });

  it('leaves a black list of canonical addresses, each added by somebody, none of a server', () => {
    const list = demoBlackIps(now);
    const serverIps = new Set(demoServers.map(({ ip }) => ip));
    for (const { ip, reason, updated_at: at } of list) {
      expect(canonicalIp(ip)).toBe(ip);
      expect(serverIps.has(ip)).toBe(false);
      const entriesOfIp = entries.filter((entry) => entry.entity === 'black_ip' && entry.entity_id === ip);
      expect(entriesOfIp.map((entry) => ({ at: entry.at, action: entry.action, changes: entry.changes }))).toEqual([
        { at, action: 'create', changes: JSON.stringify([{ field: 'reason', from: null, to: reason }]) },
      ]);
    }
    expect(list).toHaveLength(8);
  });
});

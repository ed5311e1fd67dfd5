import type { AuditAction, AuditChange, AuditEntity } from '@switchyard/contract/audit';
import { wireDate } from '@switchyard/contract/dates';
import { demoEmailEnd } from '@switchyard/demo/demo-accounts';
import type { AppSecrets, NewAuditEntry, NewBlackIp } from './demo-store.ts';
import { seededRandom } from '@switchyard/demo/seeded-random';

const day = 86_400_000;

/** The fields of an app that its changes need. */
export type ToldApp = {
  id: number;
  name: string;
  bundle: string;
  archivedAt: Date | null;
  secrets: AppSecrets | null;
};

/** Subjects of the changes: the demo's apps, and ids of accounts by e-mail and of traffic servers by name. */
export type DemoThings = { accounts: ReadonlyMap<string, number>; servers: ReadonlyMap<string, number>; apps: readonly ToldApp[] };

/** Addresses of the blocks kept for documentation (RFC 5737, RFC 3849) that no server of the demo has. */
const blackIps: readonly { ip: string; daysAgo: number; actor: string; reason: string }[] = [
  { ip: '203.0.113.177', daysAgo: 0.3, actor: 'admin', reason: 'Replays conversions of Goal Rush' },
  { ip: '192.0.2.44', daysAgo: 1.2, actor: 'admin', reason: 'Scanner: asks for /wp-login.php' },
  { ip: '192.0.2.45', daysAgo: 1.2, actor: 'admin', reason: 'Scanner: asks for /wp-login.php' },
  { ip: '192.0.2.46', daysAgo: 1.2, actor: 'admin', reason: 'Scanner: asks for /wp-login.php' },
  { ip: '198.51.100.201', daysAgo: 4.6, actor: 'super', reason: 'Click farm, reported by buyer Leon Fischer' },
  { ip: '2001:db8:17:4::a2', daysAgo: 6.1, actor: 'super', reason: 'Click farm, reported by buyer Leon Fischer' },
  { ip: '203.0.113.9', daysAgo: 9.4, actor: 'admin', reason: 'Manager' },
  { ip: '2001:db8:40::1f', daysAgo: 12.8, actor: 'super', reason: 'Store review traffic from a data centre' },
];

/** An address that was on the list for a while. */
const freedAddress = { ip: '198.51.100.73', reason: 'Manager', addedDaysAgo: 11.5, removedDaysAgo: 3.2 };

/** The address of each member of the staff. */
const addresses = { super: '198.51.100.4', admin: '198.51.100.5', manager: '203.0.113.130', restricted: '192.0.2.210' } as const;
type Actor = keyof typeof addresses;

const actorOf = (name: string): Actor => (name === 'admin' ? 'admin' : 'super');

/** The demo's black list, newest last. */
export function demoBlackIps(now: Date): NewBlackIp[] {
  return blackIps
    .map(({ ip, reason, daysAgo }) => ({ ip, reason, created_at: ago(now, daysAgo), updated_at: ago(now, daysAgo) }))
    .toReversed();
}

type DemoChange = {
  [E in AuditEntity]: { entity: E; action: AuditAction<E>; entityId: number | string | null };
}[AuditEntity] & { daysAgo: number; actor: Actor | null; label: string | null; appId?: number; changes?: readonly AuditChange[] };

/** Changes by the demo's staff before the demo was loaded, oldest first: each entry describes something as it is now. */
export function demoAuditEntries(things: DemoThings, now: Date): NewAuditEntry[] {
  return [...appChanges(things, now), ...accountChanges(things), ...otherChanges(things)]
    .toSorted((a, b) => b.daysAgo - a.daysAgo)
    .map(({ daysAgo, actor, entity, action, entityId, label, appId, changes = [] }) => ({
      at: ago(now, daysAgo),
      actor_id: actor === null ? null : idOf(things.accounts, actor + demoEmailEnd),
      entity,
      action,
      entity_id: entityId === null ? null : String(entityId),
      entity_label: label,
      app_id: appId ?? null,
      ip: actor === null ? '203.0.113.250' : addresses[actor],
      request_id: requestId(`${entity} ${action} ${label} ${daysAgo}`),
      changes: JSON.stringify(changes),
    }));
}

function appChanges({ apps }: DemoThings, now: Date): DemoChange[] {
  const daysAgo = (at: Date): number => (now.getTime() - at.getTime()) / day;
  const entries: DemoChange[] = [];
  const about = (bundle: string, change: Omit<DemoChange & { entity: 'app' }, 'entity' | 'entityId' | 'label' | 'appId'>): void => {
    const app = apps.find((one) => one.bundle === bundle);
    if (app) entries.push({ ...change, entity: 'app', entityId: app.id, label: app.name, appId: app.id });
  };
  for (const { id, name, archivedAt, secrets } of apps) {
    const app = { entityId: id, label: name, appId: id };
    if (archivedAt !== null) {
      const changes = [{ field: 'deleted_at', from: null, to: wireDate(archivedAt) }];
      entries.push({ ...app, entity: 'app', action: 'archive', daysAgo: daysAgo(archivedAt), actor: 'manager', changes });
    }
    if (secrets?.push_file_at) {
      const changes = [
        { field: 'configuration', from: null, to: null },
        { field: 'fileName', from: null, to: secrets.push_file_name },
        { field: 'projectId', from: null, to: secrets.push_file_project },
      ];
      entries.push({ ...app, entity: 'firebase', action: 'upload', daysAgo: daysAgo(secrets.push_file_at), actor: 'manager', changes });
    }
  }
  about('com.luckyharbor.app', {
    action: 'update',
    daysAgo: 2.1,
    actor: 'restricted',
    changes: nameChange('Lucky Harbour', 'Lucky Harbor'),
  });
  about('com.goalrush.app', {
    action: 'update',
    daysAgo: 7.7,
    actor: 'manager',
    changes: [...nameChange('Goal Rush (new)', 'Goal Rush'), { field: 'domain', from: 'goalrush.example', to: 'goal-rush.example' }],
  });
  about('com.coinatlas.app', { action: 'export', daysAgo: 0.9, actor: 'restricted' });
  return entries;
}

function nameChange(from: string, to: string): AuditChange[] {
  return [{ field: 'name', from, to }];
}

function accountChanges({ accounts }: DemoThings): DemoChange[] {
  const buyer = idOf(accounts, `chloe.martin${demoEmailEnd}`);
  const changes = [{ field: 'hasAccess', from: true, to: false }];
  return [
    { entity: 'buyer', action: 'switch_access', entityId: buyer, label: 'Chloe Martin', daysAgo: 5.4, actor: 'admin', changes },
    { entity: 'session', action: 'login_failed', entityId: null, label: `chloe.martin${demoEmailEnd}`, daysAgo: 5.2, actor: null },
  ];
}

function on(ip: string, reason: string) {
  return { entityId: ip, label: ip, changes: [{ field: 'reason', from: null, to: reason }] };
}

function otherChanges({ servers }: DemoThings): DemoChange[] {
  const region = [{ field: 'region', from: 'ap-southeast', to: 'ap-south' }];
  const server = idOf(servers, 'edge-bom-1');
  const off = { entityId: freedAddress.ip, label: freedAddress.ip, changes: [{ field: 'reason', from: freedAddress.reason, to: null }] };
  return [
    { entity: 'server', action: 'update', entityId: server, label: 'edge-bom-1', daysAgo: 8.3, actor: 'super', changes: region },
    ...blackIps.map(({ ip, reason, daysAgo, actor }): DemoChange => ({
      ...on(ip, reason),
      entity: 'black_ip',
      action: 'create',
      daysAgo,
      actor: actorOf(actor),
    })),
    {
      ...on(freedAddress.ip, freedAddress.reason),
      entity: 'black_ip',
      action: 'create',
      daysAgo: freedAddress.addedDaysAgo,
      actor: 'admin',
    },
    { ...off, entity: 'black_ip', action: 'delete', daysAgo: freedAddress.removedDaysAgo, actor: 'admin' },
    { entity: 'request', action: 'export', entityId: null, label: null, daysAgo: 1.6, actor: 'super' },
  ];
}

function ago(now: Date, days: number): Date {
  return new Date(now.getTime() - days * day);
}

function requestId(seed: string): string {
  const hex = seededRandom('request', seed).hex(32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function idOf(ids: ReadonlyMap<string, number>, key: string): number {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`The demo names ${key}, which it does not add.`);
  return id;
}

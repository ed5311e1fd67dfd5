import { permissionCatalogue, seededRoles, type Panel } from '@switchyard/contract/permissions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppScope } from '@switchyard/contract/app-scope';
import {
  appsAfter,
  changeDenial,
  detachDenial,
  grantDenial,
  holderOf,
  holdsAll,
  rejectIfDenied,
  targetDenial,
  type AccountChange,
  type AppsCall,
  type Denial,
  type Standing,
  type Writer,
} from './access-rules-lookup.ts';

const staffIds = permissionCatalogue.filter(({ panel }) => panel === 'user').map(({ id }) => id);
const buyerIds = permissionCatalogue.filter(({ panel }) => panel === 'buyer').map(({ id }) => id);

type Role = { id: number; permissionIds: number[] };

/** Role 1 with everything, and some more with few permissions, so that the rules often meet. */
const staffRoles: readonly Role[] = [
  { id: 1, permissionIds: staffIds },
  { id: 2, permissionIds: staffIds.filter((id) => id !== 4) },
  { id: 3, permissionIds: [1, 2] },
  { id: 4, permissionIds: [2, 15] },
  { id: 8, permissionIds: [] },
];
const buyerRoles: readonly Role[] = [
  { id: 5, permissionIds: buyerIds.slice(0, 2) },
  { id: 7, permissionIds: buyerIds },
];

const someApps = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 });
const scope: fc.Arbitrary<AppScope> = fc.oneof(fc.constant<AppScope>('all'), someApps);

function standing(panel: Panel): fc.Arbitrary<Standing> {
  const roles = fc.uniqueArray(fc.constantFrom(...(panel === 'user' ? staffRoles : buyerRoles)), { minLength: 1, maxLength: 3 });
  return fc
    .record({ roles, hasAccess: fc.boolean(), isQa: fc.boolean(), apps: panel === 'user' ? scope : someApps })
    .map(({ roles: heldRoles, hasAccess, isQa, apps }) => ({
      ...holderOf(heldRoles),
      panel,
      hasAccess,
      isQa,
      roleIds: heldRoles.map((role) => role.id),
      apps,
    }));
}

const appsCall: fc.Arbitrary<AppsCall> = fc.option(fc.record({ kind: fc.constantFrom('set', 'add', 'remove'), ids: someApps }), {
  nil: null,
});

/** A caller, and a write of another account, of the caller's own or of a new one. */
const scene = fc
  .record({ panel: fc.constantFrom<Panel>('user', 'buyer'), caller: standing('user'), kind: fc.constantFrom('own', 'other', 'new') })
  .chain(({ panel, caller, kind }) => {
    const writer: Writer = { ...caller, id: 10, scope: caller.apps };
    const isOwn = kind === 'own';
    return fc.record({
      writer: fc.constant(writer),
      change: fc
        .record({
          before: isOwn ? fc.constant({ ...caller, hasAccess: true }) : kind === 'new' ? fc.constant(null) : standing(panel),
          after: kind === 'new' ? standing(panel) : fc.option(standing(isOwn ? 'user' : panel), { nil: null, freq: 4 }),
          apps: appsCall,
          newCredentials: fc.boolean(),
          others: fc.nat(2).chain((enabledCount) => fc.nat(enabledCount).map((withAllApps) => ({ enabledCount, withAllApps }))),
        })
        .map((change): AccountChange => ({ id: isOwn ? 10 : kind === 'new' ? null : 11, ...change })),
    });
  });

/** The table of api 0.12, row by row in the order of api 0.3, written without any function of the engine. */
function plainModel(caller: Writer, { id, before, after, apps, others, newCredentials }: AccountChange): Denial | null {
  const isSuper = (one: Standing) => one.roleIds.includes(1);
  const callerIsSuper = caller.isSuperAdmin;
  const lacks = (one: Standing) =>
    [...one.permissionIds].some(
      (permissionId) => !buyerIds.some((buyer) => buyer === permissionId) && !caller.permissionIds.has(permissionId),
    );
  const isOwn = id === caller.id;
  const wasActiveSuper = before !== null && isSuper(before) && before.hasAccess;
  const isActiveSuper = after !== null && isSuper(after) && after.hasAccess;
  const namedIds = apps?.ids ?? [];
  const namesAll = apps !== null && apps.kind === 'set' && namedIds.length === 0 && after?.panel === 'user';
  const rows: [boolean, Denial][] = [
    [
      wasActiveSuper && !isActiveSuper && others.enabledCount === 0,
      { status: 409, message: 'The last super admin cannot be removed, disabled or demoted' },
    ],
    [
      wasActiveSuper && isActiveSuper && before.apps === 'all' && after.apps !== 'all' && others.withAllApps === 0,
      { status: 409, message: 'The last super admin with access to all apps cannot be restricted' },
    ],
    [
      isOwn && after !== null && String(before?.roleIds.toSorted((a, b) => a - b)) !== String(after.roleIds.toSorted((a, b) => a - b)),
      { status: 403, message: 'You cannot change your own roles' },
    ],
    [after !== null && isSuper(after) && !callerIsSuper, { status: 403, message: 'Only a super admin can change a super admin' }],
    [after !== null && lacks(after), { status: 403, message: 'You cannot grant permissions you do not have' }],
    [after !== null && caller.scope !== 'all' && namesAll, { status: 403, message: 'You cannot grant access to all apps' }],
    [
      after !== null && caller.scope !== 'all' && namedIds.some((app) => caller.scope !== 'all' && !caller.scope.includes(app)),
      { status: 403, message: 'You cannot grant access to apps you do not have' },
    ],
    [
      before?.panel === 'buyer' &&
        caller.scope !== 'all' &&
        before.apps !== 'all' &&
        before.apps.some((app) => caller.scope !== 'all' && !caller.scope.includes(app)) &&
        (after === null ||
          newCredentials ||
          after.hasAccess !== before.hasAccess ||
          after.isQa !== before.isQa ||
          String(after.roleIds.toSorted((a, b) => a - b)) !== String(before.roleIds.toSorted((a, b) => a - b))),
      { status: 403, message: 'You cannot grant access to apps you do not have' },
    ],
    [isOwn && after === null, { status: 422, field: 'id', message: 'You cannot delete yourself' }],
    [isOwn && after?.hasAccess === false, { status: 422, field: 'hasAccess', message: 'You cannot deny access to yourself' }],
  ];
  return rows.find(([applies]) => applies)?.[1] ?? null;
}

describe('rules on writes of accounts', () => {
  it('[AMB-167] [AMB-188] [S7] [S8] [S36] reject what the table of the contract rejects, in its order', () => {
    const denialCounts = new Map<string, number>();
    fc.assert(
      fc.property(scene, ({ writer, change }) => {
        const expected = plainModel(writer, change);
        denialCounts.set(expected?.message ?? 'none', (denialCounts.get(expected?.message ?? 'none') ?? 0) + 1);
        expect(changeDenial(writer, change)).toEqual(expected);
      }),
      { numRuns: 4_000 },
    );
    // A generator that never reaches a rule would prove nothing about it.
    expect(denialCounts.size).toBe(10);
  });

  it('[S7] [S10] keep callers off accounts that rank above them or see more', () => {
    fc.assert(
      fc.property(standing('user'), fc.constantFrom<Panel>('user', 'buyer').chain(standing), (caller, target) => {
        const isAbove = target.roleIds.includes(1) && !caller.roleIds.includes(1);
        const holdsMore = [...target.permissionIds].some((id) => staffIds.some((staff) => staff === id) && !caller.permissionIds.has(id));
        const { apps } = caller;
        const seesMore =
          apps !== 'all' && target.panel === 'user' && (target.apps === 'all' || target.apps.some((app) => !apps.includes(app)));
        const message = targetDenial({ ...caller, id: 1, scope: apps }, target)?.message ?? null;
        expect(message).toBe(
          isAbove
            ? 'Only a super admin can change a super admin'
            : holdsMore
              ? 'You cannot grant permissions you do not have'
              : seesMore
                ? 'You cannot grant access to apps you do not have'
                : null,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('[S7] let nobody pass on rights that they do not hold, by however many accounts', () => {
    const writes = fc.array(fc.record({ by: fc.nat(3), on: fc.nat(3), after: standing('user'), apps: appsCall }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(standing('user'), { minLength: 4, maxLength: 4 }), writes, (people, steps) => {
        const now = [...people];
        const highest = new Set(people.flatMap((one) => [...one.permissionIds]));
        for (const { by, on, after, apps } of steps) {
          const [caller, before] = [now[by], now[on]];
          if (!caller?.hasAccess || !before) continue;
          const writer = { ...caller, id: by, scope: caller.apps };
          const others = now.filter((one, at) => at !== on && one.isSuperAdmin && one.hasAccess);
          const call = { scope: caller.apps, panel: 'user' as const, before: before.apps, call: apps };
          const change = {
            id: on,
            before,
            after: { ...after, apps: appsAfter(call) },
            apps,
            newCredentials: false,
            others: { enabledCount: others.length, withAllApps: others.filter((one) => one.apps === 'all').length },
          };
          if ((targetDenial(writer, before) ?? changeDenial(writer, change)) === null) now[on] = change.after;
        }
        expect(now.flatMap((one) => [...one.permissionIds]).every((id) => highest.has(id))).toBe(true);
        expect(now.some((one) => one.isSuperAdmin && one.hasAccess)).toBe(people.some((one) => one.isSuperAdmin && one.hasAccess));
        const appIds = new Set(people.flatMap((one) => (one.apps === 'all' ? [] : one.apps)));
        const isWider = now.some((one) => one.apps === 'all' || one.apps.some((app) => !appIds.has(app)));
        expect(isWider && people.every((one) => one.apps !== 'all')).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [
      { status: 403, message: 'no' },
      { status: 403, message: 'no' },
    ],
    [
      { status: 409, message: 'not now' },
      { status: 409, message: 'not now' },
    ],
    [{ status: 422, field: 'id', message: 'not that' }, { errors: { id: ['not that'] } }],
  ] as const)('become the answer %j', (denial, error) => {
    expect(() => rejectIfDenied(denial)).toThrow(expect.objectContaining(error));
    expect(() => rejectIfDenied(null)).not.toThrow();
  });
});

describe('the grant rule', () => {
  it.each(seededRoles.flatMap((role) => permissionCatalogue.map(({ id, panel }) => [role.name, id, panel] as const)))(
    '[PERM-052] [PERM-053] [PERM-054] %s and permission %i of panel %s',
    (name, id, panel) => {
      const role = seededRoles.find((one) => one.name === name);
      const ids = permissionCatalogue.filter(({ label }) => role?.permissions.includes(label) === true).map((one) => one.id);
      expect(holdsAll(holderOf([{ id: 9, permissionIds: ids }]), [id])).toBe(panel === 'buyer' || ids.some((one) => one === id));
    },
  );

  it('[PERM-052] [PERM-053] lets a super admin make super admins, and an admin only admins and lower', () => {
    const [superAdmin, admin] = [holderOf(staffRoles.slice(0, 1)), holderOf(staffRoles.slice(1, 2))];
    expect(grantDenial(superAdmin, superAdmin)).toBeNull();
    expect(grantDenial(admin, admin)).toBeNull();
    expect(grantDenial(admin, superAdmin)?.message).toBe('Only a super admin can change a super admin');
    expect(grantDenial(admin, holderOf([{ id: 12, permissionIds: staffIds }]))?.message).toBe(
      'You cannot grant permissions you do not have',
    );
  });
});

describe('the apps of an account', () => {
  it('[S11] [USER-057] widen to all apps only by an empty full set of staff, never by removing apps', () => {
    fc.assert(
      fc.property(fc.constantFrom<Panel>('user', 'buyer'), scope, scope, appsCall, (panel, callerScope, heldApps, call) => {
        const before = heldApps === 'all' ? (panel === 'buyer' ? [] : heldApps) : heldApps.toSorted((a, b) => a - b);
        const after = appsAfter({ scope: callerScope, panel, before, call });
        const isEmptySet = panel === 'user' && call?.kind === 'set' && call.ids.length === 0;
        if (after === 'all') {
          expect(isEmptySet || (call === null && before === 'all')).toBe(true);
          return;
        }
        expect(after).toEqual([...new Set(after)].sort((a, b) => a - b));
        const isShown = (id: number) => callerScope === 'all' || callerScope.includes(id);
        const had = (id: number) => before !== 'all' && before.includes(id);
        for (let id = 1; id <= 5; id += 1) {
          const isNamed = call?.ids.includes(id) === true;
          const expected =
            call === null
              ? had(id)
              : call.kind === 'add'
                ? had(id) || isNamed
                : call.kind === 'remove'
                  ? had(id) && !isNamed
                  : isNamed || (panel === 'buyer' && had(id) && !isShown(id));
          expect([id, after.includes(id)]).toEqual([id, expected]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('[S11] are inherited by a new staff account from its creator, and none by a new buyer', () => {
    expect(appsAfter({ scope: 'all', panel: 'user', before: null, call: null })).toBe('all');
    expect(appsAfter({ scope: [4, 2], panel: 'user', before: null, call: null })).toEqual([4, 2]);
    expect(appsAfter({ scope: 'all', panel: 'buyer', before: null, call: null })).toEqual([]);
    expect(appsAfter({ scope: 'all', panel: 'buyer', before: null, call: { kind: 'set', ids: [] } })).toEqual([]);
  });

  it('[AMB-173] cannot be taken one by one from who has all', () => {
    expect(detachDenial('all')).toEqual({ status: 409, message: 'The user has access to all apps, choose the apps first' });
    expect(detachDenial([])).toBeNull();
  });
});

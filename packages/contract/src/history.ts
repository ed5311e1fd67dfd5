import { z } from 'zod';
import { saveApp } from './app-form.ts';
import { auditRow, type AuditEntity } from './audit.ts';
import { saveBuyer } from './buyers.ts';
import { defineEndpoint, type RecentSignIn } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { cursor, idParams, limit, queryId, searchText, single } from './listing.ts';
import type { Permission } from './permissions.ts';
import { filterDate } from './requests.ts';
import { updateRole } from './roles.ts';
import { plainText } from './text-fields.ts';
import { saveServer } from './traffic-servers.ts';
import { saveUser } from './users.ts';

/** Entities with a history, and the actions of the audit trail that are their revisions. */
export const revisionActions = {
  app: ['create', 'update', 'archive', 'restore'],
  role: ['create', 'update'],
  user: ['create', 'update', 'switch_access', 'attach_apps', 'detach_app', 'sync_apps'],
  buyer: ['create', 'update', 'switch_access', 'attach_apps', 'detach_app', 'sync_apps'],
  server: ['create', 'update'],
} as const satisfies Partial<Record<AuditEntity, readonly string[]>>;
export type HistoryEntity = keyof typeof revisionActions;

/** Why a field cannot be restored, or not exactly. */
export const historyRemarks = {
  secret: 'Values of secrets are not stored, so the present one is kept.',
  notChosen: 'It was not chosen.',
  elsewhere: 'It was also changed elsewhere, so its value at that time is not known. The present one is kept.',
  unknown: 'This version of the console has no such field.',
  invalid: 'The value is no longer valid, so the present one is kept.',
  archived: 'Archive or restore the app itself to change this.',
  deletedBuyers: 'Buyers who were deleted since are left out.',
  removedPermissions: 'Permissions that no longer exist are left out.',
  unknownRole: 'A role of that time no longer exists, so the present roles are kept.',
  visibleApps: 'Only apps that you see are restored.',
  noApps: 'An account without apps cannot be saved: for staff, no apps means all of them. The present apps are kept.',
} as const;

/** Filters of a history: a part of the name or email address of who made the change, the name of a changed field, and days. */
export const historyQuery = z.object({
  cursor,
  limit: limit(defaultLimits.revisions),
  person: searchText(),
  field: single(plainText(255).optional()),
  startDate: filterDate,
  endDate: filterDate,
});
export type HistoryQuery = z.output<typeof historyQuery>;

/** A change of an entity, as its history lists it. `restored` is the entry to which the change went back. Dates are UTC texts. */
export const revision = auditRow
  .pick({ id: true, at: true, action: true, via: true, changes: true })
  .extend({ actor: z.object({ id: z.int(), name: z.string() }).nullable(), label: z.string().nullable(), restored: z.int().nullable() });
export type Revision = z.output<typeof revision>;

/**
 * A field in which two revisions differ; both values of a secret are null. `restorable` is true only where the present state is
 * compared with a revision that has a value to restore. `remark` says why there is none, or why it is not exactly that of the revision.
 */
export const revisionDifference = z.object({
  field: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  restorable: z.boolean(),
  remark: z.string().nullable(),
});
export type RevisionDifference = z.output<typeof revisionDifference>;

/** Differences of two revisions. `version` is that of the entity now: restoring sends it in If-Match. */
export const revisionComparison = z.object({ version: z.int(), differences: z.array(revisionDifference) });
export type RevisionComparison = z.output<typeof revisionComparison>;

/** Restored fields, and those that differ still, each with the reason. */
const restoredRevision = z.object({
  id: z.int(),
  version: z.int(),
  restored: z.array(z.string()),
  left: z.array(z.object({ field: z.string(), remark: z.string() })),
});

const maximumFields = 100;

type SavingCall = {
  readonly path: string;
  readonly access: { readonly kind: 'permissions'; readonly anyOf: readonly [Permission, ...Permission[]] };
  readonly recentSignIn: RecentSignIn;
  readonly rejections: readonly number[];
};

/** The calls on the history of an entity. Who may save the entity may read and restore its revisions, with the same recent sign-in. */
function historyCalls(noun: string, { path, access, recentSignIn, rejections }: SavingCall, firstNumber: number) {
  return {
    list: defineEndpoint({
      number: firstNumber,
      method: 'GET',
      path: `${path}/history`,
      summary: `Revisions of ${noun}, newest first`,
      access,
      params: idParams,
      query: historyQuery,
      answer: { kind: 'cursor', row: revision },
    }),
    compare: defineEndpoint({
      number: firstNumber + 1,
      method: 'GET',
      path: `${path}/history/compare`,
      summary: `Fields in which two revisions of ${noun} differ`,
      access,
      params: idParams,
      query: z.object({
        /** Entry of the revision to compare from; the present state without it. */
        from: queryId(),
        /** Entry of the revision to compare to; the present state without it. */
        to: queryId(),
      }),
      answer: { kind: 'data', status: 200, schema: revisionComparison },
    }),
    restore: defineEndpoint({
      number: firstNumber + 2,
      method: 'PUT',
      path: `${path}/history/{revision}/restore`,
      summary: `Set fields of ${noun} to the values of a revision, as saving them does`,
      access,
      recentSignIn,
      params: idParams.extend({
        revision: z
          .string()
          .regex(/^[1-9]\d{0,14}$/)
          .transform(Number),
      }),
      /** Fields to restore; without it all that can be. */
      body: z.strictObject({ fields: z.array(plainText(255)).max(maximumFields).optional() }),
      answer: { kind: 'data', status: 200, schema: restoredRevision, etag: true },
      rejections,
    }),
  };
}
export type HistoryCalls = ReturnType<typeof historyCalls>;

export const appHistory = historyCalls('an app', saveApp, 240);
export const roleHistory = historyCalls('a role', updateRole, 243);
export const userHistory = historyCalls('a staff account', saveUser, 246);
export const buyerHistory = historyCalls('a buyer', saveBuyer, 249);
export const serverHistory = historyCalls('a traffic server', saveServer, 252);

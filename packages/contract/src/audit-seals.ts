import { z } from 'zod';
import { auditQuery, type AuditRow } from './audit.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';

/** What the seals of the trail can show. `other-key`: sealed with another SECRET_KEY, so nothing can be said. */
export const auditProblemKinds = ['entry-changed', 'entry-missing', 'entry-added', 'seal-changed', 'seal-missing', 'other-key'] as const;

const auditProblem = z.object({
  kind: z.enum(auditProblemKinds),
  seal_id: z.int(),
  entry_id: z.int().nullable(),
});
export type AuditProblem = z.output<typeof auditProblem>;

/** Problems that are returned at most. */
export const shownAuditProblems = 20;

/** `checking`: not all entries were compared since this process started. Numbers and problems are null for readers of some apps. */
export const auditSealState = z.object({
  state: z.enum(['checking', 'intact', 'broken']),
  /** When all entries had been compared last. */
  verified_at: z.string().nullable(),
  sealed_until: z.string().nullable(),
  sealed_entries: z.int().nullable(),
  total_problems: z.int().nullable(),
  problems: z.array(auditProblem).max(shownAuditProblems).nullable(),
});
export type AuditSealState = z.output<typeof auditSealState>;

const access = anyPermission('manager_user_activity');

export const getAuditSeal = defineEndpoint({
  number: 160,
  method: 'GET',
  path: 'audit/seal',
  summary: 'Whether the audit trail is as it was written',
  access,
  answer: { kind: 'data', status: 200, schema: auditSealState },
});

/** The activity list as a file: one JSON object a line, as in the list. */
export const downloadAudit = defineEndpoint({
  number: 161,
  method: 'GET',
  path: 'audit/download',
  summary: 'The audit trail as JSON lines',
  access,
  query: auditQuery.omit({ cursor: true, limit: true }),
  answer: {
    kind: 'raw',
    contentType: 'application/x-ndjson',
    file: true,
    example: `${JSON.stringify({ id: 1, at: '2026-11-20 10:11:12', actor: null, action: 'login_failed', entity: 'session', entity_id: null, entity_label: 'who@example.com', ip: '198.51.100.4', request_id: 'req-1', changes: [] } satisfies AuditRow)}\n`,
  },
});
export type AuditDownloadQuery = z.output<typeof downloadAudit.query>;

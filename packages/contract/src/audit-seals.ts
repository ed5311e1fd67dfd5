import { z } from 'zod';
import { auditQuery, isAuditId, type AuditRow } from './audit.ts';
import { anyPermission, defineEndpoint, peopleWith } from './endpoint.ts';

/**
 * Problems that seals show. `entry-ahead`: the id is one that the sequence has not given yet, so the console did not write the
 * entry. `other-key`: sealed with another SECRET_KEY, so nothing can be said.
 */
export const auditProblemKinds = [
  'entry-changed',
  'entry-missing',
  'entry-added',
  'entry-ahead',
  'seal-changed',
  'seal-missing',
  'other-key',
] as const;

/** Numbers of entries and seals are decimal texts, because they have up to 64 bits. */
const auditProblem = z.object({
  kind: z.enum(auditProblemKinds),
  seal_id: z.string().nullable(),
  entry_id: z.string().nullable(),
});
export type AuditProblem = z.output<typeof auditProblem>;

/** Problems that are returned at most. */
export const shownAuditProblems = 1000;

/** `checking`: not all entries were compared since this process started. Numbers and problems are null for readers of some apps. */
export const auditSealState = z.object({
  state: z.enum(['checking', 'intact', 'broken']),
  /** Whether nothing is sealed, because the newest seal is missing. */
  is_halted: z.boolean(),
  /** Whether a comparison of all entries that somebody started is under way. */
  is_verifying: z.boolean(),
  /** When all entries had been compared last. */
  verified_at: z.string().nullable(),
  /** Time of the newest seal. */
  sealed_until: z.string().nullable(),
  /** The last entry that the newest seal covers. */
  sealed_to: z.string().nullable(),
  sealed_entries: z.int().nullable(),
  /** Entries after the newest seal. */
  unsealed_entries: z.int().nullable(),
  total_problems: z.int().nullable(),
  problems: z.array(auditProblem).max(shownAuditProblems).nullable(),
});
export type AuditSealState = z.output<typeof auditSealState>;

/** Messages of the calls on seals. */
export const auditSealMessages = { notMissing: 'No seal with this number is missing' } as const;

const access = anyPermission('manager_user_activity');

export const getAuditSeal = defineEndpoint({
  number: 160,
  method: 'GET',
  path: 'audit/seal',
  summary: 'Whether the audit trail is unaltered',
  access,
  answer: { kind: 'data', status: 200, schema: auditSealState },
});

/** Compares all entries in the background; `audit/seal` shows when it is over. */
export const verifyAuditSeals = defineEndpoint({
  number: 207,
  method: 'POST',
  path: 'audit/seal/verify',
  summary: 'Compare the audit trail with its seals now',
  access,
  recentSignIn: null,
  answer: { kind: 'data', status: 200, schema: auditSealState },
});

/** Lets the console seal on without seals that are missing. */
export const acknowledgeSealLoss = defineEndpoint({
  number: 208,
  method: 'POST',
  path: 'audit/seal/acknowledge',
  summary: 'Acknowledge that seals of the audit trail are missing',
  access: peopleWith('manager_user_activity'),
  recentSignIn: { before: 'call' },
  body: z.strictObject({ seal_id: z.string().refine(isAuditId, 'The seal_id must be an integer.') }),
  answer: { kind: 'data', status: 200, schema: auditSealState },
  rejections: [409],
});

/** The activity list as a file: one JSON object a line, as in the list. */
export const downloadAudit = defineEndpoint({
  number: 161,
  method: 'GET',
  path: 'audit/download',
  summary: 'The audit trail as JSON lines',
  access,
  recentSignIn: { before: 'call' },
  query: auditQuery.omit({ cursor: true, limit: true }),
  answer: {
    kind: 'raw',
    contentType: 'application/x-ndjson',
    file: true,
    example: `${JSON.stringify({ id: 1, at: '2026-11-20 10:11:12', actor: null, action: 'login_failed', entity: 'session', entity_id: null, entity_label: 'who@example.com', ip: '198.51.100.4', request_id: 'req-1', via: null, changes: [] } satisfies AuditRow)}\n`,
  },
});
export type AuditDownloadQuery = z.output<typeof downloadAudit.query>;

import type { AuditProblem } from '@switchyard/contract/audit-seals';

type Ids = { seal: string | null; entry: string | null };

const problemTexts: Readonly<Record<AuditProblem['kind'], (ids: Ids) => string>> = {
  'entry-changed': ({ seal, entry }) => `entry ${entry} was changed (seal ${seal})`,
  'entry-missing': ({ seal, entry }) => `entry ${entry} was deleted (seal ${seal})`,
  'entry-added': ({ seal, entry }) => `entry ${entry} was added afterwards (seal ${seal})`,
  'entry-ahead': ({ entry }) => `entry ${entry} was added with an id ahead of the sequence`,
  'seal-changed': ({ seal }) => `seal ${seal} was changed or moved`,
  'seal-missing': ({ seal }) => `seal ${seal} is missing`,
  'other-key': ({ seal }) => `seal ${seal} cannot be verified (made with another SECRET_KEY)`,
};

/** A problem in words, for logs and terminals. */
export function problemText({ kind, seal_id: seal, entry_id: entry }: AuditProblem): string {
  return problemTexts[kind]({ seal, entry });
}

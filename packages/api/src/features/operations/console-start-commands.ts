import type { Build } from '@switchyard/contract/settings';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, transaction } from '../../database/transaction.ts';

/** Records that a process of the console has started, so that charts can mark it. */
export async function recordConsoleStart(db: Databases['db'], { version }: Build): Promise<void> {
  await transaction(db, async (tx) =>
    recordAudit(tx, { actor: null, entity: 'console', action: 'start', id: null, label: version, request: null }),
  );
}

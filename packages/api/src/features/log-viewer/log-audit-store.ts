import type { Databases } from '../../database/connect.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { recordAudit } from '../audit/record-audit-lookup.ts';

/** Which of the two viewers; as the audit trail names it (api [89]). */
export type LogSource = 'log' | 'app_log';

type Event = { entity: LogSource; action: 'download' | 'delete'; date: string; caller: AccountCaller; request: RequestContext };

/** Does `work` only if the trail tells of it, and keeps the entry only if `work` was done. */
export async function withLogAudit(
  db: Databases['db'],
  { date, caller, ...event }: Event,
  work: () => Promise<void> = async () => undefined,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await recordAudit(tx, { actor: caller.account, ...event, entityId: date, entityLabel: date });
    await work();
  });
}

import { listAudit } from '@switchyard/contract/audit';
import { cursorForm } from '@switchyard/contract/envelope';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { readTimeRange } from '../../traffic-store/read-time-range.ts';
import { listAuditEntries } from './audit-read-model.ts';

/** Calls on the audit trail, which is read only. */
export function createAudit({ db, serverOffset }: { db: Databases['db']; serverOffset: string }): Feature {
  return {
    bindRoutes(bind) {
      bind(listAudit, async ({ query, caller: { scope } }) => {
        const { cursor, limit, actor, action: actions, entity: entities, entityId, search } = query;
        const filter = { scope, actor, actions, entities, entityId, ...readTimeRange(query, serverOffset) };
        const { rows, previous, next } = await listAuditEntries(db, { filter, search, cursor, limit });
        return { rows, pagination: cursorForm({ count: rows.length, limit, previous, next }) };
      });
    },
  };
}

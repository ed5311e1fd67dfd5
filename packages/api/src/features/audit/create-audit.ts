import { listAudit, type AuditQuery } from '@switchyard/contract/audit';
import { downloadAudit, type AuditDownloadQuery } from '@switchyard/contract/audit-seals';
import { cursorForm } from '@switchyard/contract/envelope';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import { scansWith } from '../../http/admission.ts';
import type { Call, Feature } from '../../http/bind.ts';
import { Download } from '../../http/streamed-result.ts';
import { toFile } from '@switchyard/traffic-store/csv';
import { readTimeRange } from '../../traffic-queries/read-time-range.ts';
import type { AuditFilter } from './audit-query-read-model.ts';
import { listAuditEntries } from './audit-entries-lookup.ts';
import { recordExport } from './record-export-lookup.ts';

/** Entries that an export reads at once. */
const chunk = 1000;

/** Calls on the audit trail, which is read only. */
export function createAudit({ db, serverOffset }: { db: Databases['db']; serverOffset: string }): Feature {
  const filterOf = (query: Omit<AuditQuery, 'cursor' | 'limit'>, scope: AppScope): AuditFilter => {
    const { actor, action: actions, entity: entities, entityId, via, viaId, near } = query;
    return { scope, actor, actions, entities, entityId, via, viaId, near, ...readTimeRange(query, serverOffset) };
  };

  async function* writeLines(query: AuditDownloadQuery, scope: AppScope, signal: AbortSignal): AsyncGenerator<Buffer> {
    const filter = filterOf(query, scope);
    let cursor: string | undefined;
    do {
      signal.throwIfAborted();
      const page = await listAuditEntries(db, { filter, search: query.search, cursor, limit: chunk });
      yield Buffer.from(page.rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
  }

  function download({ query, caller, request }: Call<typeof downloadAudit>): Download {
    return new Download('activity.jsonl', async (signal) => {
      await recordExport(db, { entity: 'activity', caller, request });
      return toFile(writeLines(query, caller.scope, signal));
    });
  }

  return {
    bindRoutes(bind) {
      bind(
        listAudit,
        async ({ query, caller: { scope } }) => {
          const { cursor, limit, search } = query;
          const { rows, previous, next } = await listAuditEntries(db, { filter: filterOf(query, scope), search, cursor, limit });
          return { rows, pagination: cursorForm({ count: rows.length, limit, previous, next }) };
        },
        { slots: scansWith('search') },
      );
      bind(downloadAudit, async (call) => download(call));
    },
  };
}

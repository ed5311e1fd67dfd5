import * as contract from '@switchyard/contract/ingest';
import type { Feature } from '../../http/bind.ts';
import { type IngestDeps, ingestEvents } from './ingest-events.ts';

/** Told what became of the rows of a call, for metrics. */
export type RowsCounted = (kind: 'events', result: { accepted: number; duplicates: number; rejected: number }) => void;

/** Ingestion: traffic servers hand in what happened (api 13). */
export function createIngest(deps: IngestDeps & { onRows: RowsCounted }): Feature {
  return {
    bindRoutes(bind) {
      bind(contract.ingestEvents, async ({ body }) => {
        const result = await ingestEvents(deps, body);
        deps.onRows('events', { ...result, rejected: result.rejected.length });
        return result;
      });
    },
  };
}

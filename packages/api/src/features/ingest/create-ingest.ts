import * as contract from '@switchyard/contract/ingest';
import { tooManyAttempts } from '../../errors.ts';
import type { Feature } from '../../http/bind.ts';
import { type IngestDeps, ingestEvents } from './ingest-events.ts';

/** Calls of one traffic server that may be worked on at once (api 0.15). */
const inFlightLimit = 16;

/** Told what became of the rows of a call, for metrics. */
export type RowsCounted = (kind: 'events', result: { accepted: number; duplicates: number; rejected: number }) => void;

/** Ingestion: traffic servers hand in what happened (api 13). */
export function createIngest(deps: IngestDeps & { onRows: RowsCounted }): Feature {
  const inFlight = new Map<number, number>();

  async function counted<T>(serverId: number, work: () => Promise<T>): Promise<T> {
    const running = inFlight.get(serverId) ?? 0;
    if (running >= inFlightLimit) throw tooManyAttempts(1);
    inFlight.set(serverId, running + 1);
    try {
      return await work();
    } finally {
      inFlight.set(serverId, (inFlight.get(serverId) ?? 1) - 1);
    }
  }

  return {
    bindRoutes(bind) {
      bind(contract.ingestEvents, async ({ body, caller }) => {
        const result = await counted(caller.serverId, () => ingestEvents(deps, body));
        deps.onRows('events', { ...result, rejected: result.rejected.length });
        return result;
      });
    },
  };
}

import * as events from '@switchyard/contract/ingest';
import * as conversions from '@switchyard/contract/ingest';
import * as pushes from '@switchyard/contract/ingest';
import * as streams from '@switchyard/contract/ingest';
import { ingestConversions, type IngestConversionsDeps, ingestPushes, type IngestPushesDeps } from './ingest-deliveries.ts';
import { ingestEvents, type IngestEventsDeps } from './ingest-events.ts';
import { ingestStreams, type IngestStreamsDeps } from './ingest-streams.ts';
import { createNamesInBatches } from './names-read-model.ts';
import type { Feature, ServerCaller } from '../../http/bind.ts';

type Kind = 'events' | 'pushes' | 'conversions' | 'streams';

/** Called with the result of each call of a traffic server. */
export type RowsCounted = (kind: Kind, result: { accepted: number; duplicates: number; rejected: number }, serverId: number) => void;

type Deps = Omit<IngestEventsDeps & IngestPushesDeps & IngestConversionsDeps & IngestStreamsDeps, 'names'> & {
  onRows: RowsCounted;
};

/** Ingestion: traffic servers report events, pushes, conversions and streams. */
export function createIngest({ onRows, ...given }: Deps): Feature {
  const deps = { ...given, names: createNamesInBatches(given) };
  const countRows = (kind: Kind, { serverId }: ServerCaller, result: events.IngestResult): events.IngestResult => {
    onRows(kind, { ...result, rejected: result.rejected.length }, serverId);
    return result;
  };
  return {
    bindRoutes(bind) {
      bind(events.ingestEvents, async ({ body, caller }) => countRows('events', caller, await ingestEvents(deps, body, caller.serverId)));
      bind(pushes.ingestPushes, async ({ body, caller }) => countRows('pushes', caller, await ingestPushes(deps, body)));
      bind(conversions.ingestConversions, async ({ body, caller }) =>
        countRows('conversions', caller, await ingestConversions(deps, body)),
      );
      bind(streams.ingestStreams, async ({ body, caller, request }) =>
        countRows('streams', caller, await ingestStreams(deps, body, { request })),
      );
    },
  };
}

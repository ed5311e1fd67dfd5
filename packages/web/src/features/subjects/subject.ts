import type { AddressSummary, ClientSummary, TimelineKind, TimelinePage } from '@switchyard/contract/subjects';
import {
  downloadAddressTimeline,
  downloadClientTimeline,
  getAddressSummary,
  getClientSummary,
  listAddressTimeline,
  listClientTimeline,
} from '@switchyard/contract/subjects';
import type { Pagination } from '@switchyard/contract/envelope';
import { call, inBackground, open } from '../../shared/api/call.ts';
import type { TrafficDownload } from '../../traffic/download-button.tsx';

/** Query of the timeline. */
export type TimelineQuery = { kind?: TimelineKind[] | undefined; cursor?: string | undefined; limit?: number | undefined };

type CallOptions = { signal: AbortSignal; isSilent?: boolean; showsFailureItself?: (status: number | null) => boolean };

/** A client, an address or a CIDR block: its calls, and what it is called. */
export type Subject<Summary = ClientSummary | AddressSummary> = {
  noun: 'client' | 'address' | 'block';
  /** The uid, or the address or block in canonical form. */
  value: string;
  /** Unique among all subjects: key of the cache and of the downloads. */
  name: string;
  summarise: (options: CallOptions) => Promise<{ data: Summary }>;
  list: (query: TimelineQuery & { after?: string }, options: CallOptions) => Promise<{ data: TimelinePage; pagination: Pagination }>;
  download: TrafficDownload<TimelineQuery>;
};

/** The client with a uid. */
export function clientSubject(uid: string): Subject<ClientSummary> {
  const params = { uid };
  return {
    noun: 'client',
    value: uid,
    name: `client ${uid}`,
    summarise: (options) => call(getClientSummary, { params, ...options, ...inBackground }),
    list: (query, options) => call(listClientTimeline, { params, query: { ...query, place: true }, ...options }),
    download: {
      fileName: { list: `client ${uid}` },
      open: ({ kind, format }, options) => open(downloadClientTimeline, { params, query: { kind, format, place: true }, ...options }),
      count: () => Promise.resolve(null),
    },
  };
}

/** The address or block in canonical form. */
export function addressSubject(ip: string): Subject<AddressSummary> {
  const params = { ip };
  return {
    noun: ip.includes('/') ? 'block' : 'address',
    value: ip,
    name: `address ${ip}`,
    summarise: (options) => call(getAddressSummary, { params, ...options, ...inBackground }),
    list: (query, options) => call(listAddressTimeline, { params, query, ...options }),
    download: {
      fileName: { list: `address ${ip}` },
      open: ({ kind, format }, options) => open(downloadAddressTimeline, { params, query: { kind, format }, ...options }),
      count: () => Promise.resolve(null),
    },
  };
}

/** Text for a subject that no stored request names. */
export function nothingSeen(noun: Subject['noun']): string {
  return `Nothing seen from this ${noun}.`;
}

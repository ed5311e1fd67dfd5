import { pageOf } from '@switchyard/contract/page-of';
import type { KnownSystems } from '@switchyard/contract/asns';
import type { Permission } from '@switchyard/contract/permissions';
import type { RequestRow } from '@switchyard/contract/requests';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { AllRequestsPage } from '../all-requests/all-requests-page.tsx';
import type { RequestDetails } from '../use-open-request.ts';
import { sampleHistogram } from './sample-histogram.ts';

const pagination = {
  total: null,
  count: 1,
  limit: 50,
  currentPage: null,
  totalPages: null,
  current_page: null,
  last_page: null,
  links: [],
  prev_cursor: null,
  next_cursor: null,
};

type Options = {
  rows: readonly RequestRow[];
  address: string;
  permissions: readonly Permission[];
  /** Gets the addresses of all calls. */
  calls?: string[];
  /** Response of call [141] to the id of a request; none unless given. */
  details?: (id: number) => RequestDetails | string | undefined;
  /** How far systems are filled in; all are unless given. */
  known?: KnownSystems;
};

const allKnown: KnownSystems = { known_from: null, percent: 100, is_running: false };

/** A request with nothing known beside its row. */
export function sampleDetails(row: RequestRow): RequestDetails {
  return { ...row, asn: null, server: null, blocked_by: [] };
}

/** Renders the page of all requests over a server of the test's own. Returns the history. */
export async function showRequests({ rows, address, permissions, details = () => undefined, calls = [], known = allKnown }: Options) {
  stubApi((url) => {
    calls.push(url);
    const { pathname } = new URL(url, 'http://console');
    const id = /\/requests\/(\d+)$/.exec(pathname)?.[1];
    if (id !== undefined) {
      const requestDetails = details(Number(id));
      if (requestDetails === undefined) return new Promise(() => undefined);
      if (typeof requestDetails === 'string')
        return Response.json({ success: false, message: requestDetails, data: null }, { status: 404 });
      return Response.json({ success: true, data: requestDetails });
    }
    if (pathname.endsWith('/asn/known')) return Response.json({ success: true, data: known });
    if (pathname.endsWith('/histogram')) return Response.json({ success: true, data: sampleHistogram() });
    if (pathname.endsWith('/picks/apps')) {
      const app = { id: 12, name: 'Acme Bet', bundle: 'com.acme.bet', domain: '', label: 'Acme Bet (com.acme.bet)' };
      return Response.json({ success: true, ...pageOf([app], { page: 1, limit: 50 }) });
    }
    return Response.json({ success: true, data: rows, pagination });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: true } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: [...permissions] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  return renderPages([['/page', 'Phone Requests', AllRequestsPage]], [address]);
}

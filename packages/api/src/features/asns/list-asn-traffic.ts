import {
  type AsnFigures,
  asnListDays,
  type AsnOrder,
  type AsnTrafficQuery,
  type AsnTrafficRow,
  fewAsnRequests,
} from '@switchyard/contract/asns';
import type { AppScope } from '@switchyard/contract/app-scope';
import { listAsnsPage } from './asns-store.ts';
import { type AsnTrafficDeps, lastDays } from './read-asn-traffic.ts';

/** More than there are autonomous systems with addresses. */
const mostSystems = 200_000;
/** What the types that bans block are counted by. */
const bannedTypes = [
  { type: 'create', succeeded: false },
  { type: 'receive', succeeded: false },
] as const;
const noRequests: AsnFigures = { requests: 0, bots: 0, create: 0, receive: 0 };

type Asked = { query: AsnTrafficQuery; /** Null: the reader may not see requests. */ scope: AppScope | null };

/** A page of the autonomous systems that match, with their requests of the last days, of the apps in a scope. */
export async function listAsnTraffic(deps: AsnTrafficDeps, { query, scope }: Asked): Promise<{ rows: AsnTrafficRow[]; total: number }> {
  const { db } = deps;
  const { orderBy, orderDirection } = query;
  if (scope === null) return withTraffic(await listAsnsPage(db, query), () => null);
  if (orderBy === 'code') {
    const page = await listAsnsPage(db, query, { direction: orderDirection });
    const figures = await countSystems(deps, { scope, codes: page.rows.map(({ code }) => code) });
    return withTraffic(page, (code) => figures.get(code) ?? noRequests);
  }
  const figures = await countSystems(deps, { scope });
  const page = await listAsnsPage(db, query, { first: ranked(figures, valuesBy[orderBy], orderDirection === 'asc' ? 1 : -1) });
  return withTraffic(page, (code) => figures.get(code) ?? noRequests);
}

type Page = Awaited<ReturnType<typeof listAsnsPage>>;

function withTraffic({ rows, total }: Page, trafficOf: (code: number) => AsnFigures | null): { rows: AsnTrafficRow[]; total: number } {
  return { rows: rows.map((row) => ({ ...row, traffic: trafficOf(row.code) })), total };
}

/** The requests of each system that had some, or of these. */
async function countSystems(
  deps: AsnTrafficDeps,
  { scope, codes }: { scope: AppScope; codes?: readonly number[] },
): Promise<ReadonlyMap<number, AsnFigures>> {
  if (codes?.length === 0) return new Map();
  const filter = { scope, ...lastDays(deps, asnListDays).span, ...(codes && { asns: codes.map(String) }) };
  const groups = await deps.eventStore.countGroups({ filter, by: ['asn'], typeFigures: bannedTypes, limit: mostSystems });
  const [creates = [], receives = []] = groups.types;
  const known = [...groups].map(({ keys: [code = ''], events, bots }, at) => {
    const counts: AsnFigures = { requests: events, bots, create: creates[at] ?? 0, receive: receives[at] ?? 0 };
    return [code, counts] as const;
  });
  return new Map(known.flatMap(([code, counts]) => (/^\d+$/.test(code) ? [[Number(code), counts]] : [])));
}

/** Ordered by a figure, systems with requests come first; the others follow by their code. */
function ranked(figures: ReadonlyMap<number, AsnFigures>, valueOf: FigureValue, sign: 1 | -1): number[] {
  return Array.from(figures, ([code, counts]) => ({ code, value: valueOf(counts) }))
    .toSorted((a, b) => compare(a.value, b.value, sign) || a.code - b.code)
    .map(({ code }) => code);
}

type FigureValue = (figures: AsnFigures) => number | null;

/** Null is last in either direction. */
const valuesBy: Readonly<Record<Exclude<AsnOrder, 'code'>, FigureValue>> = {
  requests: ({ requests }) => requests,
  bots: ({ bots, requests }) => (requests < fewAsnRequests ? null : bots / requests),
  create: ({ create }) => create,
  receive: ({ receive }) => receive,
};

function compare(a: number | null, b: number | null, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (a - b);
}

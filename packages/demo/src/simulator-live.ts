import type { Microseconds } from '@switchyard/contract/dates';
import { eventRowAt, type EventRow } from './ingest-rows.ts';
import { seededRandom, type Random } from './seeded-random.ts';
import { simulatedClient, type SimulatedApp, type SimulatedClient } from './simulator-clients.ts';
import { planVisit, visitShares, type EventFacts, type VisitKind } from './simulator-visits.ts';

/** Events of visits under way that are not due yet; beyond it a visit's events come at once. */
const mostPending = 20_000;
/** Maximum number of remembered clients, who may return. */
const mostRemembered = 5_000;
const second = 1_000_000;

const kinds = (['install', 'return', 'page', 'proxy', 'failure'] as const satisfies readonly VisitKind[]).map((kind) => ({
  kind,
  weight: visitShares[kind],
}));

export type LiveTraffic = {
  /** So many rows between two moments, in order of time: first what visits under way bring, then new visits. */
  rows(count: number, from: Microseconds, until: Microseconds): EventRow[];
};

/** Traffic as it happens; `former` gives clients from before, if there were any. */
export function createLiveTraffic(options: {
  seed: string;
  apps: readonly SimulatedApp[];
  former?: (app: SimulatedApp, random: Random) => SimulatedClient;
}): LiveTraffic {
  const random = seededRandom(options.seed);
  const rememberedClients = new Map<string, SimulatedClient[]>();
  const pending = new Map<number, EventFacts[]>();
  let pendingCount = 0;
  let due: EventFacts[] = [];
  let visitCount = 0;

  function newClient(app: SimulatedApp): SimulatedClient {
    const client = simulatedClient(app, options.seed, visitCount++);
    const clients = rememberedClients.get(app.bundle) ?? [];
    if (clients.length * options.apps.length < mostRemembered) clients.push(client);
    else clients[random.integer(0, clients.length - 1)] = client;
    rememberedClients.set(app.bundle, clients);
    return client;
  }

  function formerClient(app: SimulatedApp): SimulatedClient {
    const clients = rememberedClients.get(app.bundle) ?? [];
    if (options.former && random.chance(40 / (40 + clients.length))) return options.former(app, random);
    return clients.length > 0 ? random.pick(clients) : newClient(app);
  }

  function beginVisit(now: Microseconds): void {
    const app = random.pickWeighted(options.apps);
    const { kind } = random.pickWeighted(kinds);
    const client = kind === 'return' || kind === 'failure' ? formerClient(app) : newClient(app);
    for (const { after, facts } of planVisit(kind, app, client, random)) {
      if (after === 0 || pendingCount >= mostPending) due.push(facts);
      else {
        const at = Math.floor((now + after) / second);
        pending.set(at, [...(pending.get(at) ?? []), facts]);
        pendingCount++;
      }
    }
  }

  function collectDue(until: Microseconds): void {
    for (const [at, facts] of pending) {
      if (at * second >= until) continue;
      due.push(...facts);
      pending.delete(at);
      pendingCount -= facts.length;
    }
  }

  return {
    rows(count, from, until) {
      collectDue(until);
      while (due.length < count) beginVisit(until);
      const dueVisits = due.slice(0, count);
      due = due.slice(count);
      const step = (until - from) / Math.max(1, count);
      return dueVisits.map((facts, nth) => eventRowAt(Math.floor(from + step * (nth + random.fraction())), facts, random));
    },
  };
}

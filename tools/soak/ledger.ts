import { requestTypes } from '@switchyard/contract/requests';

/** Events of one app and type: all of them, the successful ones, and those with an error. */
type Count = { all: number; ok: number; failed: number };

/** Number of events by app and type. */
export type EventCounts = ReadonlyMap<string, Count>;

/** A write that leaves one entry in the audit trail, named by that entry's entity, action and label. */
export type AuditedWrite = { key: string; outcome: 'acknowledged' | 'unknown' };

/** Everything that the clients of one console sent, and what of it was acknowledged. */
export type Ledger = {
  sent: Map<string, Count>;
  acknowledged: Map<string, Count>;
  /** Ids of acknowledged events by app. */
  ids: Map<number, string[]>;
  writes: AuditedWrite[];
  exports: { tried: number; complete: number };
  /** Calls by outcome. */
  calls: Map<string, number>;
  /** Differences by text, with how often each was seen, and first when. */
  problems: Map<string, { count: number; first: string }>;
};

export function createLedger(): Ledger {
  return {
    sent: new Map(),
    acknowledged: new Map(),
    ids: new Map(),
    writes: [],
    exports: { tried: 0, complete: 0 },
    calls: new Map(),
    problems: new Map(),
  };
}

/** Adds one to the number of a text. */
export function tally(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1);
}

/** Adds a difference. */
export function noteProblem({ problems }: Ledger, text: string): void {
  const { count, first } = problems.get(text) ?? { count: 0, first: new Date().toISOString() };
  problems.set(text, { count: count + 1, first });
}

const keyOf = (appId: number, type: string): string => `${appId} ${type}`;

/** An event as the ledger counts it. */
export type CountedEvent = { app_id: number; type: string; isBot: boolean; isError: boolean };

export function addEvents(counts: Map<string, Count>, events: readonly CountedEvent[]): void {
  for (const { app_id, type, isBot, isError } of events) {
    const { all, ok, failed } = counts.get(keyOf(app_id, type)) ?? { all: 0, ok: 0, failed: 0 };
    counts.set(keyOf(app_id, type), { all: all + 1, ok: ok + (isBot || isError ? 0 : 1), failed: failed + (isError ? 1 : 0) });
  }
}

/** Events of these apps and types. */
export function countEvents(
  counts: EventCounts,
  { apps, types = requestTypes, part = 'all' }: { apps: readonly number[]; types?: readonly string[]; part?: keyof Count },
): number {
  return apps.flatMap((app) => types.map((type) => counts.get(keyOf(app, type))?.[part] ?? 0)).reduce((sum, count) => sum + count, 0);
}

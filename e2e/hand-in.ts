import { randomUUID } from 'node:crypto';
import type { RunState } from './run-state.ts';

type GivenEvent = Record<string, unknown> & { type: string };

/** Hands events in as a traffic server would; throws unless every one is kept. Dates count down from now, one second each. */
export async function handIn(run: Pick<RunState, 'url' | 'serverToken'>, events: readonly GivenEvent[]): Promise<void> {
  const rows = events.map((event, at) => ({
    id: randomUUID(),
    bundle: 'com.luckyharbor.app',
    ip: '203.0.113.9',
    date: new Date(Date.now() - at * 1_000).toISOString(),
    ...event,
  }));
  const answer = await fetch(`${run.url}/api/ingest/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${run.serverToken}` },
    body: JSON.stringify({ events: rows }),
  });
  const body: { data?: { accepted: number } } = JSON.parse(await answer.text());
  if (body.data?.accepted !== rows.length) throw new Error(`Not every event was kept: ${JSON.stringify(body)}`);
}

/** A client uid that no other test uses, so that a search finds this test's requests alone. */
export function ownClient(): string {
  return `e2e-${randomUUID().slice(0, 13)}`;
}

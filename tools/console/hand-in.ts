import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { answerMilliseconds } from './app-api.ts';
import type { RunState } from './run-state.ts';

type Server = Pick<RunState, 'url' | 'serverToken'>;
type GivenEvent = Record<string, unknown> & { type: string };

/** Hands events in as a traffic server would; throws unless every one is kept. Dates count down from now, one second each. */
export async function handIn(run: Server, events: readonly GivenEvent[]): Promise<void> {
  const rows = events.map((event, at) => ({
    id: randomUUID(),
    bundle: 'com.luckyharbor.app',
    ip: '203.0.113.9',
    date: new Date(Date.now() - at * 1_000).toISOString(),
    ...event,
  }));
  await handInRows(run, 'events', rows);
}

/**
 * Hands rows of any kind in as they are; throws unless every one is kept. Sends them again where the console asks for it, as traffic servers
 * do: a database on a busy machine may need longer for a connection than a call waits.
 */
export async function handInRows(
  run: Server,
  kind: 'events' | 'pushes' | 'conversions' | 'streams',
  rows: readonly Record<string, unknown>[],
  until: number = performance.now() + answerMilliseconds,
): Promise<void> {
  const answer = await fetch(`${run.url}/api/ingest/${kind}`, {
    method: 'POST',
    signal: AbortSignal.timeout(answerMilliseconds),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${run.serverToken}` },
    body: JSON.stringify({ [kind]: rows }),
  });
  const body: { data?: { accepted: number } } = JSON.parse(await answer.text());
  const again = answer.headers.get('retry-after');
  if (answer.status === 503 && again !== null && performance.now() < until) {
    await wait(Number(again) * 1_000);
    return handInRows(run, kind, rows, until);
  }
  if (body.data?.accepted !== rows.length) throw new Error(`Not every row was kept: ${JSON.stringify(body)}`);
}

/** A client uid that no other test uses, so that a search finds this test's requests alone. */
export function ownClient(): string {
  return `e2e-${randomUUID().slice(0, 13)}`;
}

import { fromDate, type Microseconds } from '@switchyard/contract/dates';
import type { BenchContext } from './bench-context.ts';

/** How many connections send batches at once. */
export const senders = 4;

/** Delivers a batch, of which every row has to be taken. */
export async function deliver(
  server: BenchContext['server'],
  kind: 'events' | 'pushes' | 'conversions',
  { body, rows, headers = {} }: { body: Buffer; rows: number; headers?: Readonly<Record<string, string>> },
): Promise<void> {
  const answer = await server.post(`ingest/${kind}`, body, { 'content-type': 'application/json', ...headers });
  if (answer.status !== 200 || answer.body.data.accepted !== rows)
    throw new Error(`a batch was answered with ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`);
}

/** Batches of rows of the last hour, as they arrive in production. */
export function manyBatches<Row>({ count, rows }: { count: number; rows: number }, make: (at: Microseconds) => Row): Row[][] {
  const now = fromDate(new Date());
  return Array.from({ length: count }, () => Array.from({ length: rows }, () => make(now - Math.floor(Math.random() * 3.6e9))));
}

/** Rows a second when the senders take turns with batches of this size. */
export async function rate<Batch>(
  rows: number,
  all: readonly Batch[],
  send: (batch: Batch) => Promise<unknown>,
  connections = senders,
): Promise<number> {
  const queue = [...all];
  const startedAt = performance.now();
  const work = async () => {
    for (let batch = queue.pop(); batch !== undefined; batch = queue.pop()) await send(batch);
  };
  await Promise.all(Array.from({ length: connections }, work));
  return (all.length * rows) / ((performance.now() - startedAt) / 1000);
}

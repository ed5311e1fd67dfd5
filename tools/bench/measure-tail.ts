import { fromDate } from '@switchyard/contract/dates';
import { setTimeout as wait } from 'node:timers/promises';
import { createApiClient } from './api-client.ts';
import type { BenchContext } from './bench-context.ts';
import { deliver } from './deliver.ts';
import { limitMeasure, type Measure, shownMeasure } from './report.ts';
import { percentile } from './sample.ts';
import { wireRow } from './traffic-rows.ts';

const batches = 100;
const rowsOfBatch = 20;
const pauseMilliseconds = 100;
const arrivalMilliseconds = 30_000;

/**
 * From the moment a batch is posted to one process until each of its rows reached a reader of the live stream of another
 * process on the same database; 20 rows every tenth of a second.
 */
export async function measureTail({ server, admin, startAnother, repeat }: BenchContext): Promise<Measure[]> {
  const count = repeat(batches);
  const expected = count * rowsOfBatch;
  const other = await startAnother();
  const reader = createApiClient(other.url, admin.token);
  const sentAt = new Map<string, number>();
  const latencies: number[] = [];
  const stream = await reader.open('all-requests/stream');
  stream.setEncoding('utf8');
  const arrival = (async () => {
    let text = '';
    for await (const part of stream) {
      text += String(part);
      const end = text.lastIndexOf('\n\n');
      for (const [, uuid] of text.slice(0, Math.max(0, end)).matchAll(/"uuid":"([^"]+)"/g)) {
        const at = uuid === undefined ? undefined : sentAt.get(uuid);
        if (at !== undefined) latencies.push(performance.now() - at);
      }
      text = text.slice(Math.max(0, end));
      if (latencies.length === expected) return;
    }
  })();
  for (let batch = 0; batch < count; batch += 1) {
    const events = Array.from({ length: rowsOfBatch }, (_, row) => wireRow(fromDate(new Date()) - row));
    for (const { id } of events) sentAt.set(id, performance.now());
    await deliver(server, 'events', { body: Buffer.from(JSON.stringify({ events })), rows: rowsOfBatch });
    await wait(pauseMilliseconds);
  }
  await Promise.race([arrival, wait(arrivalMilliseconds, undefined, { ref: false })]);
  stream.destroy();
  reader.close();
  await other.stop();
  if (latencies.length !== expected) throw new Error(`of ${expected} rows ${latencies.length} reached the live stream`);
  return [shownMeasure('tail_p50', percentile(latencies, 0.5), 'ms'), limitMeasure('tail_p95', percentile(latencies, 0.95), 'ms', 2000)];
}

import { openDatabases } from '../src/database/connect.ts';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';

// Run as a process of its own with the address of a database: exports the tenth of the requests that belongs to app 2, so
// that the heap has the size that any export gives it, then all, and prints how much its memory grew meanwhile.

const databases = openDatabases({ url: process.argv[2] ?? '', onError: () => undefined, timeoutFactor: 10 });
const store = createTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 90 }).events;
let peak = 0;

async function exportAll(scope: readonly number[]): Promise<number> {
  const sort = { orderBy: 'concatenated_date', orderDirection: 'desc' } as const;
  const file: AsyncIterable<Buffer> = await store.exportEvents({ filter: { scope }, sort, signal: new AbortController().signal });
  let bytes = 0;
  for await (const part of file) {
    bytes += part.length;
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  return bytes;
}

await exportAll([2]);
const before = process.memoryUsage.rss();
const bytes = await exportAll([1, 2]);
process.stdout.write(JSON.stringify({ bytes, growth: peak - before }));
await databases.close();

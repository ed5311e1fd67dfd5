import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { createTestDatabase } from '../../../../api/test/test-database.ts';
import { createTrafficStore } from '../../open-traffic-store.ts';
import { recountDays } from '../rollups.ts';

const mebibyte = 1024 * 1024;
const script = join(import.meta.dirname, '../../../../api/test/export-process.ts');
const result = z.object({ bytes: z.int(), growth: z.int() });

it('[EVT-037, CONST-036] keeps its memory while it writes a file larger than it may grow', { timeout: 300_000 }, async () => {
  const { url, databases } = await createTestDatabase();
  const { ops } = databases.pools;
  await createTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 90 }).events.maintain(testEpoch);
  // Long rows, because storing and counting many takes longer than exporting them.
  await ops.query(
    `insert into events (uuid, app_id, type, flags, occurred_at, ip, country, client_uid, stream_uid, bot, postbacks_domain, body_request)
     select gen_random_uuid(), case when n % 10 = 0 then 2 else 1 end, 'create', 0, to_timestamp($1::bigint / 1000000) - n * interval '6 s', '203.0.113.9',
       'DE', 'c-' || n, '', '', '', json_build_object('text', repeat('"', 800)) from generate_series(1, 50000) n`,
    [testEpoch],
  );
  const client = await ops.connect();
  await client.query('begin');
  await recountDays(client, { offset: '+00:00' });
  await client.query('commit');
  client.release();
  await ops.query('analyze events');
  // As `switchyard start` runs it.
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-semi-space-size=8', script, url]);
  const { bytes, growth } = result.parse(JSON.parse(stdout));
  expect(bytes).toBeGreaterThan(100 * mebibyte);
  // 64 MiB are asked for and measured at rest (npm run bench:export); here it is that the file is not kept.
  expect(growth).toBeLessThan(96 * mebibyte);
});

import { openDatabases } from '../src/database/connect.ts';
import { createBulkAsns } from '../src/features/asns/bulk-asn-commands.ts';
import { createBulk } from '../src/features/bulk/create-bulk.ts';
import { createJobQueue } from '../src/jobs/job-queue.ts';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';

/** A process that does bulk changes of autonomous systems and nothing else, to be killed: `node bulk-worker-process.ts <database url>`. */
const databases = openDatabases({ url: process.argv[2] ?? '', onError: () => undefined, timeoutFactor: 10 });
const jobs = createJobQueue({
  pools: databases.pools,
  onFault: (fault) => process.stderr.write(`${String(fault)}\n`),
  timings: { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 1 },
});
const { db, jobsDb } = databases;
const now = () => new Date();
const serverOffset = '+00:00';
const { events } = createTrafficStore({ pools: databases.pools, serverOffset, retentionDays: 90 });
const entities = [createBulkAsns({ eventStore: events, now, serverOffset })];
const { worker } = createBulk({ db, jobsDb, sendJob: jobs.send, now, demoIsOn: false, entities });
await jobs.start([worker]);
process.stdout.write('working\n');

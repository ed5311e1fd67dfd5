import { createHttpProvisioner } from '../src/adapters/domain-provisioner/http-provisioner.ts';
import { openDatabases } from '../src/database/connect.ts';
import { createAppDomains } from '../src/features/app-domains/create-app-domains.ts';
import { createJobQueue } from '../src/jobs/job-queue.ts';

/** A process that does the jobs of links and nothing else, to be killed: `node link-worker-process.ts <database url>`. */
const databases = openDatabases({ url: process.argv[2] ?? '', onError: () => undefined, timeoutFactor: 10 });
const now = () => new Date();
const jobs = createJobQueue({
  pools: databases.pools,
  onFault: (fault) => process.stderr.write(`${String(fault)}\n`),
  timings: { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 1 },
});
const provisioner = createHttpProvisioner({ now, networks: ['127.0.0.1'], timeoutMilliseconds: 60_000 });
const { worker } = createAppDomains({
  db: databases.db,
  jobsDb: databases.jobsDb,
  provisioner,
  sendJob: jobs.send,
  now,
  onLeftBehind: () => undefined,
});
await jobs.start([worker]);
process.stdout.write('working\n');

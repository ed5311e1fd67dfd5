import { Readable } from 'node:stream';
import { createMailer } from '../src/adapters/mailer.ts';
import { openDatabases } from '../src/database/connect.ts';
import { runScheduleJob, scheduleQueue } from '../src/features/schedules/run-schedules.ts';
import { createJobQueue } from '../src/jobs/job-queue.ts';

/** A process that mails reports and does nothing else, to be killed: `node schedule-worker-process.ts <database url> <address of the mail server>`. */
const [, , url = '', smtpUrl = ''] = process.argv;
const { pools, jobsDb } = openDatabases({ url, onError: () => undefined, timeoutFactor: 10 });
const onFault = (fault: unknown): void => void process.stderr.write(`${String(fault)}\n`);
const jobs = createJobQueue({ pools, onFault, timings: { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 1 } });
const mailer = createMailer({ smtpUrl, from: 'console@example.com' }, { senderName: 'Tollgate' });
const names = { productName: 'Tollgate', publicUrl: 'https://console.example' };
const file = async () => ({ body: Readable.from(['a,b\r\n'], { objectMode: false }) });
const common = {
  ...names,
  jobsDb,
  pools,
  sendJob: jobs.send,
  mailer,
  keepMail: null,
  serverOffset: '+00:00',
  demoIsOn: false,
  onMailFault: onFault,
  announce: async () => new Set<string>(),
};
const deps = { ...common, files: { reports: file, apps: file }, now: () => new Date() };
await jobs.start([{ queue: scheduleQueue, run: async (data, signal) => runScheduleJob(deps, data, signal) }]);
process.stdout.write('working\n');

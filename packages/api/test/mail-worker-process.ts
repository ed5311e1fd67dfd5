import { createMailer } from '../src/adapters/mailer.ts';
import { openDatabases } from '../src/database/connect.ts';
import { createJobQueue } from '../src/jobs/job-queue.ts';
import { createMailWorker } from '../src/mail-worker.ts';

/** A process that mails links and does nothing else, to be killed: `node mail-worker-process.ts <database url> <address of the mail server>`. */
const [, , url = '', smtpUrl = ''] = process.argv;
const { pools, jobsDb } = openDatabases({ url, onError: () => undefined, timeoutFactor: 10 });
const onFault = (fault: unknown): void => void process.stderr.write(`${String(fault)}\n`);
const jobs = createJobQueue({ pools, onFault, timings: { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 1 } });
const mailer = createMailer({ smtpUrl, from: 'console@example.com' }, { senderName: 'Tollgate' });
const publicUrl = 'https://console.example';
const deps = { jobsDb, mailer, productName: 'Tollgate', publicUrl, now: () => new Date(), sendMail: jobs.send, onMailFault: onFault };
await jobs.start([createMailWorker(deps)]);
process.stdout.write('working\n');

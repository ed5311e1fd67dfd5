import { createPinnedPost } from '../src/adapters/pinned-post.ts';
import { createReadSecret } from '../src/adapters/read-secret.ts';
import { openDatabases } from '../src/database/connect.ts';
import { createDelivery } from '../src/features/channels/deliver-messages.ts';
import { createSend } from '../src/features/channels/send-message.ts';
import { createJobQueue } from '../src/jobs/job-queue.ts';
import { testKeys } from './build-test-api.ts';

/** A process that sends messages of channels and does nothing else, to be killed: `node channel-worker-process.ts <database url>`. */
const [, , url = ''] = process.argv;
const { pools, jobsDb } = openDatabases({ url, onError: () => undefined, timeoutFactor: 10 });
const onFault = (fault: unknown): void => void process.stderr.write(`${String(fault)}\n`);
const jobs = createJobQueue({ pools, onFault, timings: { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 1 } });
const now = (): Date => new Date();
const names = { productName: 'Tollgate', publicUrl: 'https://console.example' };
const send = createSend({ ...names, mailer: null, hasInbox: false, post: createPinnedPost({ networks: ['127.0.0.1'] }), now });
const readSecret = createReadSecret(testKeys, onFault);
const delivery = createDelivery({ ...names, jobsDb, sendJob: jobs.send, send, readSecret, now, onMessageFault: onFault, onFault });
await jobs.start([delivery.worker]);
process.stdout.write('working\n');

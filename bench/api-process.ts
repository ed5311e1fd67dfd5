import pino from 'pino';
import { composeApi } from '../packages/api/src/composition.ts';
import { openDatabases } from '../packages/api/src/database/connect.ts';
import { readSettings } from '../packages/api/src/env.ts';

// The API alone in a process of its own, as in production: its memory is its own, and load is made elsewhere.
const settings = readSettings(process.env);
const logger = pino({ level: 'error' });
const databases = openDatabases({ url: settings.databaseUrl ?? '', onError: (error) => logger.error(error) });
const { app, maintain } = await composeApi({ settings, databases, logger, now: () => new Date(), version: 'bench', webRoot: null });
await maintain();
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.send?.({ port: typeof address === 'object' ? address?.port : null });
process.on('message', (message) => {
  if (message === 'memory') process.send?.({ bytes: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());

import fastify from 'fastify';
import { openDatabases } from '../../packages/api/src/database/connect.ts';
import { rawNewest } from './raw-events.ts';

/**
 * The floor of a list: the newest rows by a prepared statement, sent as JSON by Fastify, over the connections of the console, but without
 * sign-in, permissions, names, totals or anything else of the product. Prints its address once it answers.
 */
const url = process.env['DATABASE_URL'];
if (url === undefined) throw new Error('DATABASE_URL is missing');
const { pools } = openDatabases({ url, onError: (error) => console.error(error.message) });
const api = fastify();
api.get('/', async () => (await pools.ui.query({ name: 'raw-newest', text: rawNewest })).rows);
console.log(`Fastify is ready at ${await api.listen({ port: 0 })}`);

import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { openDatabases, type Databases } from '../src/database/connect.ts';
import { afterFile } from './after-file.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's PostgreSQL. */
    postgresUrl: string;
  }
}

/** Migrated once a run and never written to, so that it can be cloned. */
export const templateDatabase = 'switchyard_template';

/** Address of another database of the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A connection that a person would not wait for is still good for a test on a busy machine. */
export const timeoutFactor = 10;

/** A database of its own for a test file: cloned from the migrated template, dropped when the file is done. */
export async function createTestDatabase(): Promise<{ url: string; databases: Databases }> {
  const serverUrl = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template ${templateDatabase}`);
  const url = databaseUrl(serverUrl, name);
  const databases = openDatabases({ url, onError: () => undefined, timeoutFactor });
  afterFile(async () => {
    // Where a test lets a process die, its connection is never given back: closing would wait for it, dropping the database ends it.
    databases.close().catch(() => undefined);
    await onServer(serverUrl, `drop database ${name} with (force)`);
  });
  return { url, databases };
}

async function onServer(url: string, statement: string): Promise<void> {
  const server = openDatabases({ url, onError: () => undefined, timeoutFactor });
  await server.pools.ops.query(statement);
  await server.close();
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { afterFile } from './after-file.ts';
import { buildTestApi } from './build-test-api.ts';
import { signInAs } from './sign-in-as.ts';
import { createTestDatabase } from './test-database.ts';

/** A day of the logs. */
export const day = '2026-11-20';

/** The first lines of entries, in the order of an answer. */
export const headersOf = (rows: { header: string }[]) => rows.map(({ header }) => header);

/** An API over folders of logs that are empty before each test, and go with the last one. */
export async function startLogViewer() {
  const { databases } = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-log-viewer-'));
  const LOG_DIR = join(folder, 'logs');
  const APP_LOG_DIR = join(folder, 'app-logs');
  const api = await buildTestApi({ databases, env: { LOG_DIR, APP_LOG_DIR } });
  const admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  afterFile(async () => {
    await api.app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    for (const dir of [LOG_DIR, APP_LOG_DIR]) {
      rmSync(dir, { recursive: true, force: true });
      mkdirSync(dir);
    }
  });
  return {
    api,
    databases,
    admin,
    /** Holds both folders of logs; for files beside them. */
    folder,
    LOG_DIR,
    APP_LOG_DIR,
    call: async (method: 'GET' | 'DELETE', path: string, body?: object) =>
      api.call(method, `/api/${path}`, { headers: admin.headers, ...(body === undefined ? {} : { body }) }),
  };
}

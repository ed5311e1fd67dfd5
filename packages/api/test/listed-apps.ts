import { appRow } from '@switchyard/contract/apps';
import { pagination } from '@switchyard/contract/envelope';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Databases } from '../src/database/connect.ts';
import { afterFile } from './after-file.ts';
import { buildTestApi } from './build-test-api.ts';
import { createApp } from './factories/app.ts';
import { signInAs, type SignedIn } from './sign-in-as.ts';
import { createTestDatabase } from './test-database.ts';

const page = z.object({ success: z.literal(true), data: z.array(appRow), pagination });

/** Gives each app distinct values. The ids rise in this order. */
async function addApps(databases: Databases) {
  await createApp(databases, { name: 'beta', bundle: 'com.zulu.app', domain: 'mike.example', vertical: 'casino' });
  await createApp(databases, { name: 'Alpha', bundle: 'com.Yankee.app', domain: 'november.example', vertical: 'bet' });
  await createApp(databases, { name: 'gamma 100%', bundle: 'com.x_ray.app', domain: 'oscar.example', vertical: 'finance' });
  await createApp(databases, { name: 'Delta', bundle: 'com.whisky.app', domain: 'papa.example', vertical: 'bet', deleted_at: new Date() });
  await createApp(databases, { name: 'ÉPSILON \\', bundle: 'com.victor.app', domain: 'quebec.example', vertical: 'fantasy' });
}

/**
 * An API of the test file's own over five apps, one of them (Delta) archived, and a super admin. `list` reads GET apps
 * with a query, as that person unless another is named, and `names` the names of its rows; all of it goes when the file is done.
 */
export async function openListedApps() {
  const { databases } = await createTestDatabase();
  const api = await buildTestApi({ databases });
  afterFile(async () => api.app.close());
  const admin = await signInAs(databases, { role: 'Super Admin' });
  await addApps(databases);

  async function list(query = '', caller: SignedIn = admin) {
    const answer = await api.call('GET', `/api/apps${query}`, caller);
    expect(answer.status).toBe(200);
    return page.parse(answer.body);
  }
  const names = async (query: string, caller?: SignedIn) => (await list(query, caller)).data.map((app) => app.name);

  return { databases, api, admin, list, names };
}

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTestApi } from '../../api/test/build-test-api.ts';
import { listenForTest } from '../../api/test/listening-api.ts';
import { signInAs } from '../../api/test/sign-in-as.ts';
import { createTestDatabase } from '../../api/test/test-database.ts';

const generators = join(import.meta.dirname, '../generators');

/** A program against the client of hey-api: its arguments are the address of the console and the header of a session. */
const download = `
import { client } from './hey-api/client.gen.ts';
import * as sdk from './hey-api/sdk.gen.ts';
const [, , baseUrl = '', authorization = ''] = process.argv;
client.setConfig({ baseUrl, headers: { authorization } });
const csv: string | undefined = (await sdk.getAppsDownload({ query: {} })).data;
const workbook: Blob | File | undefined = (await sdk.getLogViewerLogsByDateDownload({ path: { date: '2026-11-20' } })).data;
if (csv === undefined || workbook === undefined) throw new Error('No data');
const firstBytes = new Uint8Array(await workbook.arrayBuffer()).slice(0, 4);
process.stdout.write(JSON.stringify({ csv: csv.split('\\r\\n')[0], workbook: [...firstBytes] }));
`;

describe.runIf(existsSync(join(generators, 'node_modules')))('clients of other generators', () => {
  let folder: string;
  let url: string;
  let authorization: string;
  let messages: unknown;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-clients-'));
    const { databases } = await createTestDatabase();
    writeFileSync(join(folder, 'console-2026-11-20.log'), '[2026-11-20 10:00:00] production.INFO: started\\n');
    const api = await buildTestApi({ databases, env: { LOG_DIR: folder } });
    url = await listenForTest(api.app);
    const { headers } = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    ({ authorization } = headers);
    const document = join(folder, 'openapi.json');
    writeFileSync(document, await (await fetch(`${url}/api/openapi.json`)).text());
    writeFileSync(join(folder, 'download.ts'), download);
    const { stdout } = await promisify(execFile)(process.execPath, ['generate.ts', document, folder], { cwd: generators });
    messages = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    return async () => {
      rmSync(folder, { recursive: true });
      await api.app.close();
    };
  });

  it('[API-087] compile', () => {
    expect(messages).toEqual([]);
  });

  it('[API-087] download a CSV and a workbook as binary data', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'download.ts'), url, authorization]);
    const { csv, workbook } = z.object({ csv: z.string(), workbook: z.array(z.int()) }).parse(JSON.parse(stdout));
    expect(csv).toMatch(/^id,name,bundle,/);
    // A workbook is a ZIP file.
    expect(String.fromCodePoint(...workbook)).toBe('PK\u0003\u0004');
  });
});

import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoFiles } from './demo-files.ts';

const installation = {
  seed: 'a1',
  until: 1_795_169_472_000_000,
  days: 14,
  events: 200_000,
  utcOffset: '+02:00',
  servers: [{ name: 'edge-fra-1', token: 'swd_secret' }],
};

describe('files of the demo', () => {
  let dataDir = '';
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'switchyard-demo-'));
  });
  afterEach(async () => rm(dataDir, { recursive: true }));

  it('keeps the installation with its tokens for the owner alone', async () => {
    const files = demoFiles(dataDir);
    expect(await files.readInstallation()).toBeNull();
    await files.writeInstallation(installation);
    expect(await files.readInstallation()).toEqual(installation);
    const mode = (await stat(join(dataDir, 'demo', 'installation.json'))).mode & 0o777;
    expect(mode.toString(8)).toBe('600');
  });

  it('keeps how far the past was handed in, for this installation only', async () => {
    const files = demoFiles(dataDir);
    await files.writeInstallation(installation);
    expect(await files.readHoursDone('a1')).toBe(0);
    await files.writeHoursDone('a1', 17);
    expect(await files.readHoursDone('a1')).toBe(17);
    expect(await files.readHoursDone('b2')).toBe(0);
    await files.writeInstallation(installation);
    expect(await files.readHoursDone('a1')).toBe(0);
  });

  it('takes a broken file for none', async () => {
    const files = demoFiles(dataDir);
    await files.writeInstallation(installation);
    await writeFile(join(dataDir, 'demo', 'installation.json'), '{"seed":');
    expect(await files.readInstallation()).toBeNull();
  });
});

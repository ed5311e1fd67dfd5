import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BadSetting } from './env.ts';

/**
 * The key that seals stored secrets: the given one, else the one kept in the data folder, which is made at the first
 * start (S17: there is no default key).
 * @throws BadSetting when the kept key cannot be used.
 */
export async function findSecretKey({ given, dataDir }: { given: string | null; dataDir: string }): Promise<string> {
  if (given !== null) return given;
  const path = join(dataDir, 'secret-key');
  // Written only when absent: two processes that start together agree on the first one's key.
  await writeFile(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const key = (await readFile(path, 'utf8')).trim();
  if (key.length < 32)
    throw new BadSetting(`SECRET_KEY is missing, and ${path} holds no usable key; put the one there that sealed this database`);
  return key;
}

import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BadSetting } from './env.ts';

/** A random key of 32 hex digits has fewer distinct characters about once in 27 million times. */
const enoughDistinctCharacters = 8;

/** Whether a given key is obviously not random: few distinct characters, a repeated text, or a word of placeholders. */
export function isGuessableKey(key: string): boolean {
  return new Set(key).size < enoughDistinctCharacters || /^(.+)\1+$/.test(key) || /password|secret|change|example|switchyard/i.test(key);
}

/**
 * The key that encrypts stored secrets: the given one, otherwise the one stored in the data folder. The first start
 * generates it; there is no default key.
 * @throws BadSetting if the stored key is unusable.
 */
export async function findSecretKey({ given, dataDir }: { given: string | null; dataDir: string }): Promise<string> {
  if (given !== null) return given;
  // Never overwritten, so that two processes that start together use the same key.
  await writeFile(keyFile(dataDir), `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return readKeyFile(dataDir);
}

/** The key stored in the data folder. @throws BadSetting if it is unusable, the system's error if there is none. */
export async function readKeyFile(dataDir: string): Promise<string> {
  const key = (await readFile(keyFile(dataDir), 'utf8')).trim();
  if (key.length < 32)
    throw new BadSetting(`SECRET_KEY: missing, and ${keyFile(dataDir)} has no usable key (restore the key that encrypted this database)`);
  return key;
}

const keyFile = (dataDir: string): string => join(dataDir, 'secret-key');

import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileReason } from '@switchyard/embedded-postgres/data-folder';
import { BadSetting, type Settings } from '../env.ts';
import type { GivenKeys } from './held-keys.ts';

/** A random key of 32 hex digits has fewer distinct characters about once in 27 million times. */
const enoughDistinctCharacters = 8;

/** Whether a given key is obviously not random: few distinct characters, a repeated text, or a word of placeholders. */
export function isGuessableKey(key: string): boolean {
  return new Set(key).size < enoughDistinctCharacters || /^(.+)\1+$/.test(key) || /password|secret|change|example|switchyard/i.test(key);
}

type KeySettings = Pick<Settings, 'secrets' | 'dataDir'>;

/** `isNext`: SECRET_KEY is the one that `makeNextKeyFile` made. */
export type FoundKeys = GivenKeys & { isNext: boolean };

/**
 * The keys of the settings, otherwise those stored in the data folder. Null: there are none, and there is no default key.
 * @throws BadSetting if a stored key is unusable.
 */
export async function findSecretKeys({ secrets, dataDir }: KeySettings): Promise<FoundKeys | null> {
  if (secrets.key !== null) return { key: secrets.key, previous: secrets.previousKey, isNext: false };
  const [key, nextKey] = [await readKeyFile(keyFile(dataDir)), await readKeyFile(nextKeyFile(dataDir))];
  if (nextKey !== null) return { key: nextKey, previous: key ?? secrets.previousKey, isNext: true };
  return key === null ? null : { key, previous: secrets.previousKey, isNext: false };
}

/** Generates the key of the data folder unless it has one. */
export async function makeKeyFile(settings: KeySettings): Promise<FoundKeys> {
  return makeFile(keyFile(settings.dataDir), settings);
}

/** Generates the key that is to replace the one of the data folder, unless it has one. */
export async function makeNextKeyFile(settings: KeySettings): Promise<FoundKeys> {
  return makeFile(nextKeyFile(settings.dataDir), settings);
}

/** Makes the next key the one of the data folder. The key before it is gone. */
export async function adoptNextKey(dataDir: string): Promise<void> {
  await rename(nextKeyFile(dataDir), keyFile(dataDir));
}

/** Why a data folder with a database has no key. */
export function describeMissingKeyFile(dataDir: string): string {
  return `SECRET_KEY: missing, and ${dataDir} has a database but no secret-key (restore the file)`;
}

/** Appears as a whole, and never in place of another one: processes that start together use the same key. */
async function makeFile(path: string, settings: KeySettings): Promise<FoundKeys> {
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  const foundKeys = await findSecretKeys(settings);
  if (foundKeys === null) throw new Error(`${path}: vanished`);
  return foundKeys;
}

async function readKeyFile(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new BadSetting(`SECRET_KEY: missing, and ${path} cannot be read (${fileReason(error)})`);
  });
  if (text === null) return null;
  const key = text.trim();
  if (key.length < 32)
    throw new BadSetting(`SECRET_KEY: missing, and ${path} has no usable key (restore the key that encrypted this database)`);
  return key;
}

const keyFile = (dataDir: string): string => join(dataDir, 'secret-key');
const nextKeyFile = (dataDir: string): string => join(dataDir, 'secret-key-next');

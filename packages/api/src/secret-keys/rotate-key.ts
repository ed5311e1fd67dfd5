import { keyId, UnreadableSecret } from '../adapters/secret-box.ts';
import type { Databases } from '../database/connect.ts';
import { recordAudit, transaction, unaudited, unchanged, type Audited, type OpenTransaction } from '../database/transaction.ts';
import { BadSetting } from '../env.ts';
import { openDerived, sealDerived } from './derived-keys.ts';
import { keyName, requireKey, type HeldKeys } from './held-keys.ts';
import { assertKeys, describeReplaced } from './match-keys.ts';
import {
  findKeyState,
  insertCurrentKey,
  keyInState,
  listConsolesWithout,
  listSealed,
  lockKeys,
  replaceAlone,
  sealedColumns,
  updateKey,
  updatePreviousKeys,
  updateSealed,
  type KeyState,
  type SealedColumn,
  type StoredKey,
} from './secret-keys-store.ts';

/** Texts that are read at once. */
const textsAtOnce = 200;

type Options = {
  databases: Pick<Databases, 'opsDb'>;
  keys: HeldKeys;
  /** Whether the key of the database is lost, so that what it encrypted counts as not set. */
  isPreviousLost: boolean;
  /** The seals of the audit trail: those after its last one are made with the new key. */
  seals: {
    lockSealing: (tx: OpenTransaction) => Promise<void>;
    findLastSeal: (tx: OpenTransaction) => Promise<{ id: bigint } | undefined>;
  };
  /** Gets a line for each step. */
  tell: (line: string) => void;
};

/** `from`: the key that is replaced; null if it was lost before the database stored fingerprints. */
type Replacement = { isUnchanged: boolean; from: StoredKey | null };

/**
 * Replaces the key of the database by SECRET_KEY: from the first transaction on the new key encrypts, then everything that is
 * stored is encrypted again. A replacement that was interrupted continues. One runs at a time.
 * @throws BadSetting if the keys do not fit the database, or a console runs that does not have the new one.
 */
export async function rotateKey(options: Options): Promise<Replacement> {
  const { databases, keys, tell } = options;
  return replaceAlone(databases.opsDb, {
    onWait: () => tell('Another "switchyard rotate-key" is running: waiting for its end.'),
    work: async (db) => {
      const replacement = await transaction(db, async (tx) => begin(tx, options));
      const { isUnchanged, from } = replacement;
      if (isUnchanged) return replacement;
      tell(`SECRET_KEY: ${keyName(keys.main.fingerprint)} replaces ${from === null ? 'a lost key' : keyName(from.fingerprint)}.`);
      const { encryptedCount, unreadableCount } = await encryptAgain(db, keys);
      await transaction(db, async (tx) => {
        await updatePreviousKeys(tx);
        return unaudited('the entry of the replacement was written when it began', undefined);
      });
      tell(`Encrypted again: ${encryptedCount}.`);
      if (unreadableCount > 0) tell(`Left as they are, because no given key decrypts them: ${unreadableCount}. They count as not set.`);
      return replacement;
    },
  });
}

async function begin(
  tx: OpenTransaction,
  { keys, isPreviousLost, seals }: Pick<Options, 'keys' | 'isPreviousLost' | 'seals'>,
): Promise<Audited<Replacement>> {
  // In the order in which sealing takes them.
  await seals.lockSealing(tx);
  await lockKeys(tx);
  const state = await findKeyState(tx);
  const current = keyInState(state.storedKeys, 'current') ?? null;
  const isCurrent = current?.fingerprint === keys.main.fingerprint;
  if (isPreviousLost) {
    if (isCurrent) return unchanged({ isUnchanged: true, from: null });
    await beginWithout(tx, state, keys);
    return recordReplacement(tx, keys, current);
  }
  assertKeys(state, keys);
  if (current === null) throw new BadSetting('SECRET_KEY: the database has no key yet (start a console first)');
  const previous = keyInState(state.storedKeys, 'previous') ?? null;
  if (isCurrent) return unchanged({ isUnchanged: previous === null, from: previous });
  if (previous !== null)
    throw new BadSetting(
      `SECRET_KEY: ${keyName(current.fingerprint)} replaces ${keyName(previous.fingerprint)} (exchange SECRET_KEY and SECRET_KEY_PREVIOUS)`,
    );
  await requireInConsoles(tx, keys);
  const lastSeal = (await seals.findLastSeal(tx))?.id ?? 0n;
  const key = requireKey(keys, current.fingerprint);
  await updateKey(tx, current.id, { state: 'previous', derived_sealed: sealDerived({ id: current.id, key, lastSeal, by: keys.main }) });
  return recordReplacement(tx, keys, current);
}

/** Gives up the current key, and what only it decrypts of earlier ones. */
async function beginWithout(tx: OpenTransaction, { storedKeys }: KeyState, keys: HeldKeys): Promise<void> {
  const usedKey = storedKeys.find(({ fingerprint }) => fingerprint === keys.main.fingerprint);
  if (usedKey !== undefined) throw new BadSetting(`SECRET_KEY: ${describeReplaced(usedKey)}`);
  const current = keyInState(storedKeys, 'current');
  if (current !== undefined && keys.find(current.fingerprint) !== undefined)
    throw new BadSetting(`SECRET_KEY_PREVIOUS: ${keyName(current.fingerprint)} is the one of this database (leave --previous-lost out)`);
  await requireInConsoles(tx, keys);
  for (const key of storedKeys)
    await updateKey(tx, key.id, { state: 'replaced', ...(openDerived(key, keys) === null ? { derived_sealed: null } : {}) });
}

/** A console without the new key could not read what it encrypts. */
async function requireInConsoles(tx: OpenTransaction, { main }: HeldKeys): Promise<void> {
  const addresses = await listConsolesWithout(tx, main.fingerprint);
  if (addresses.length === 0) return;
  throw new BadSetting(
    `SECRET_KEY: ${addresses.length === 1 ? 'a console runs' : `${addresses.length} consoles run`} without ${keyName(main.fingerprint)} (restart with it, then run this again): ${addresses.join(', ')}`,
  );
}

async function recordReplacement(tx: OpenTransaction, { main }: HeldKeys, from: StoredKey | null): Promise<Audited<Replacement>> {
  const id = await insertCurrentKey(tx, main.fingerprint);
  const label = keyId(main.fingerprint);
  const changes = [{ field: 'key_id', from: from && keyId(from.fingerprint), to: label }];
  const event = { actor: null, entity: 'secret_key', action: 'replace', id, label, request: null, changes } as const;
  return recordAudit(tx, event, { isUnchanged: false, from });
}

type Counts = { encryptedCount: number; unreadableCount: number };

/**
 * Encrypts what another key encrypted with SECRET_KEY. Since the first transaction nothing is encrypted with another one, so what
 * remains after a pass that found nothing is unreadable.
 */
async function encryptAgain(db: Databases['opsDb'], keys: HeldKeys): Promise<Counts> {
  let encryptedCount = 0;
  for (;;) {
    const pass = { encryptedCount: 0, unreadableCount: 0 };
    for (const column of sealedColumns) await encryptColumn(db, column, { keys, counts: pass });
    encryptedCount += pass.encryptedCount;
    if (pass.encryptedCount === 0) return { encryptedCount, unreadableCount: pass.unreadableCount };
  }
}

async function encryptColumn(
  db: Databases['opsDb'],
  column: SealedColumn,
  { keys, counts }: { keys: HeldKeys; counts: Counts },
): Promise<void> {
  let after = 0;
  for (;;) {
    const texts = await listSealed(db, column, { after, otherThan: keys.main.fingerprint, limit: textsAtOnce });
    for (const { id, sealed } of texts) {
      const secret = openText(keys, sealed, { ...column, id });
      if (secret === null) counts.unreadableCount += 1;
      else {
        await updateSealed(db, column, { id, from: sealed, to: keys.main.box.seal(secret, { ...column, id }) });
        counts.encryptedCount += 1;
      }
      after = id;
    }
    if (texts.length < textsAtOnce) return;
  }
}

function openText({ open }: HeldKeys, ...[sealed, place]: Parameters<HeldKeys['open']>): string | null {
  try {
    return open(sealed, place);
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    return null;
  }
}

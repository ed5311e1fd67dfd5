import { dayOf, fromDate } from '@switchyard/contract/dates';
import { keyId } from '../adapters/secret-box.ts';
import { BadSetting } from '../env.ts';
import { keyName, type HeldKey, type HeldKeys } from './held-keys.ts';
import { keyInState, type KeyState, type KeyTraces, type StoredKey } from './secret-keys-store.ts';

/** How the keys of a process fit a database. */
export type KeyMatch = {
  /** The key that encrypts. */
  current: HeldKey;
  /** When it began to; null if the database does not store it yet. */
  since: Date | null;
  /** Whether SECRET_KEY is the key, and replaces no other one any more. */
  isSettled: boolean;
  /** Next step of the operator; null if there is none. */
  notice: string | null;
};

/** Compares the keys of a process with those of a database. @throws BadSetting if they do not fit. */
export function assertKeys(state: KeyState, keys: HeldKeys): KeyMatch {
  const match = matchKeys(state, keys);
  if (typeof match === 'string') throw new BadSetting(match);
  return match;
}

/** Compares the keys of a process with those of a database; the problem in one line if they do not fit. */
export function matchKeys({ storedKeys, traces }: KeyState, keys: HeldKeys): KeyMatch | string {
  const current = keyInState(storedKeys, 'current');
  if (current === undefined) {
    const tracedKey = keyOfTraces(traces, keys);
    return tracedKey ? { current: tracedKey, since: null, isSettled: true, notice: null } : describeTraces(traces, keys);
  }
  const previous = keyInState(storedKeys, 'previous');
  const currentKey = keys.find(current.fingerprint);
  if (currentKey === undefined) return describeWrongKey({ storedKeys, current }, keys);
  if (previous !== undefined && keys.find(previous.fingerprint) === undefined)
    return `SECRET_KEY_PREVIOUS: missing (set it to ${keyName(previous.fingerprint)}, which ${keyName(current.fingerprint)} still replaces, and run "switchyard rotate-key")`;
  const usedKey = storedKeys.find(({ state, fingerprint }) => state === 'replaced' && fingerprint === keys.main.fingerprint);
  if (usedKey !== undefined) return `SECRET_KEY: ${describeReplaced(usedKey)}`;
  const isSettled = currentKey === keys.main && previous === undefined;
  return { current: currentKey, since: current.created_at, isSettled, notice: noticeOf({ currentKey, previous }, keys) };
}

/**
 * The key that a database without a fingerprint belongs to: the one that made its newest seal, or else encrypted a secret. Any
 * key, if there is neither. Null: another one.
 */
function keyOfTraces({ secrets, seal }: KeyTraces, keys: HeldKeys): HeldKey | null {
  const sealingKey = keys.all.find(({ auditKey }) => auditKey.id === seal);
  const encryptingKey = keys.all.find(({ fingerprint }) => secrets.includes(keyId(fingerprint)));
  return sealingKey ?? encryptingKey ?? (secrets.length === 0 && seal === null ? keys.main : null);
}

function describeTraces({ secrets }: KeyTraces, keys: HeldKeys): string {
  const what =
    secrets.length === 0
      ? 'its audit trail was sealed with another key'
      : `its secrets were encrypted with ${secrets.map((id) => `key ${id}`).join(' and ')}`;
  return `SECRET_KEY: not the key of this database (${what}, and this is ${namesOf(keys)})`;
}

function describeWrongKey({ storedKeys, current }: { storedKeys: readonly StoredKey[]; current: StoredKey }, keys: HeldKeys): string {
  const neededKey = keyName(current.fingerprint);
  const before = storedKeys.find(({ fingerprint }) => fingerprint === keys.main.fingerprint);
  if (before?.state === 'replaced') return `SECRET_KEY: ${describeReplaced(before)} (the one of this database is ${neededKey})`;
  if (before !== undefined)
    return `SECRET_KEY: ${neededKey} replaces ${keyName(before.fingerprint)} (set SECRET_KEY to it, and SECRET_KEY_PREVIOUS to ${keyName(before.fingerprint)})`;
  return `SECRET_KEY: not the key of this database (it needs ${neededKey}, in use since ${dayOf(fromDate(current.created_at), '+00:00')}, and this is ${namesOf(keys)})`;
}

/** A key that cannot be used any more: whoever has it could otherwise make seals again. */
export function describeReplaced({ fingerprint, replaced_at: at }: StoredKey): string {
  return `${keyName(fingerprint)} was replaced${at === null ? '' : ` on ${dayOf(fromDate(at), '+00:00')}`} and cannot be used again`;
}

function noticeOf({ currentKey, previous }: { currentKey: HeldKey; previous: StoredKey | undefined }, keys: HeldKeys): string | null {
  if (previous !== undefined)
    return `SECRET_KEY: ${keyName(currentKey.fingerprint)} still replaces ${keyName(previous.fingerprint)} (run "switchyard rotate-key" again)`;
  if (currentKey !== keys.main)
    return `SECRET_KEY: ${keyName(keys.main.fingerprint)} is not in use yet (run "switchyard rotate-key" when every console has it)`;
  return keys.previous === null
    ? null
    : `SECRET_KEY_PREVIOUS: not needed (remove it: ${keyName(currentKey.fingerprint)} encrypts everything)`;
}

function namesOf({ main, previous }: HeldKeys): string {
  return previous === null
    ? keyName(main.fingerprint)
    : `${keyName(main.fingerprint)}, SECRET_KEY_PREVIOUS ${keyName(previous.fingerprint)}`;
}

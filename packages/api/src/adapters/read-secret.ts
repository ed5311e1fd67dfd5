import { UnreadableSecret, type SecretBox, type SecretPlace } from './secret-box.ts';

/** Decrypts the secret of a place; null if it cannot be decrypted. */
export type ReadSecret = (sealed: string, place: SecretPlace) => string | null;

/**
 * Reads secrets. A secret that was sealed with a lost key or tampered with counts as not set and has to be entered again, so that
 * calls do not fail on it. `onUnreadable` is called once for each place.
 */
export function createReadSecret(
  { open }: Pick<SecretBox, 'open'>,
  onUnreadable: (place: SecretPlace, fault: UnreadableSecret) => void,
): ReadSecret {
  const reportedNames = new Set<string>();
  return (sealed, place) => {
    try {
      return open(sealed, place);
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      const name = `${place.table}.${place.column}:${place.id}`;
      if (!reportedNames.has(name)) onUnreadable(place, error);
      reportedNames.add(name);
      return null;
    }
  };
}

import { channelLimits } from '@switchyard/contract/channels';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import { signingKey } from '../../adapters/webhook-signature.ts';
import type { StoredChannel } from './channels-store.ts';
import type { Destination } from './message-to-send.ts';

/** The columns in which the secrets of a channel are sealed. */
export function secretPlaces(id: number) {
  const place = (column: string) => ({ table: 'channels', column, id });
  return {
    target: place('target_sealed'),
    signingSecret: place('signing_secret_sealed'),
    oldSigningSecret: place('old_signing_secret_sealed'),
  };
}

/** When a signing secret that is replaced now stops signing. */
export function oldSecretEnd(now: Date): Date {
  return new Date(now.getTime() + channelLimits.oldSecretHours * 3_600_000);
}

/** Where a channel leads; null if a secret cannot be decrypted and has to be entered again. */
export function openDestination(channel: StoredChannel, readSecret: ReadSecret, now: Date): Destination | null {
  const places = secretPlaces(channel.id);
  const { kind, addresses, url, chat_id: chatId, name } = channel;
  if (kind === 'mail') return { kind, channelName: name, addresses: addresses ?? [] };
  if (kind === 'console') return { kind };
  if (kind === 'webhook') {
    const secret = channel.signing_secret_sealed === null ? null : readSecret(channel.signing_secret_sealed, places.signingSecret);
    if (secret === null || url === null) return null;
    const hasOld = channel.old_signing_secret_until !== null && channel.old_signing_secret_until > now;
    const old =
      hasOld && channel.old_signing_secret_sealed !== null ? readSecret(channel.old_signing_secret_sealed, places.oldSigningSecret) : null;
    return { kind, url, keys: [secret, ...(old === null ? [] : [old])].map(signingKey) };
  }
  const target = channel.target_sealed === null ? null : readSecret(channel.target_sealed, places.target);
  if (target === null) return null;
  if (kind !== 'telegram') return { kind, url: target };
  return chatId === null ? null : { kind, botToken: target, chatId };
}

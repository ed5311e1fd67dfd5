import type { AlertSeverity } from '@switchyard/contract/alerts';
import {
  channel,
  channelLimits,
  createChannel,
  getChannel,
  updateChannel,
  type Channel,
  type ChannelKind,
  type ChannelTarget,
} from '@switchyard/contract/channels';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { mergeFields, type ComparedField } from '../../shared/form/conflict.ts';
import type { EntityQuery } from '../../shared/form/entity-page.tsx';
import type { SimpleModel } from '../../shared/form/use-draft.ts';
import { severityNames } from '../../shared/alerts/alert-words.ts';
import { listKey } from '../../shared/listing/list-key.ts';

export const channelKindNames: Readonly<Record<ChannelKind, string>> = {
  mail: 'Mail',
  webhook: 'Webhook',
  telegram: 'Telegram',
  slack: 'Slack',
  mattermost: 'Mattermost',
};

/** Tabs of a channel's page, as `startTabName` names them. */
export const channelTabs = { settings: 'Settings', messages: 'Messages' } as const;

/** The form of a channel, with the fields of every kind. Secrets are write-only: they start empty, and an empty one is kept. */
export type ChannelValues = {
  readonly name: string;
  readonly kind: ChannelKind;
  /** Addresses of mail, one a line. */
  readonly addresses: string;
  readonly url: string;
  readonly botToken: string;
  readonly chatId: string;
  readonly isOn: boolean;
  readonly severity: AlertSeverity;
  readonly digest: string;
  readonly perHour: string;
};

/** The form of a channel, or that of a new one. */
function valuesOf(entity: Channel | undefined): ChannelValues {
  return {
    name: entity?.name ?? '',
    kind: entity?.kind ?? 'mail',
    addresses: (entity?.addresses ?? []).join('\n'),
    url: entity?.url ?? '',
    botToken: '',
    chatId: entity?.chat_id ?? '',
    isOn: entity?.is_on ?? true,
    severity: entity?.minimum_severity ?? 'info',
    digest: String(entity?.digest_minutes ?? 0),
    perHour: String(entity?.per_hour ?? 60),
  };
}

/** The addresses of a text: one a line, or separated by commas. */
function readAddresses(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

const maskedSecret = (secret: string): string => (secret === '' ? '' : 'A new one');
const hidesUrl = (kind: ChannelKind): boolean => kind === 'slack' || kind === 'mattermost';

const fields: readonly ComparedField<ChannelValues>[] = [
  { label: 'Name', value: ({ name }) => name.trim() },
  { label: 'Kind', value: ({ kind }) => kind },
  { label: 'Addresses', value: ({ addresses }) => readAddresses(addresses), text: ({ addresses }) => readAddresses(addresses).join(', ') },
  { label: 'Url', value: ({ url }) => url.trim(), text: ({ kind, url }) => (hidesUrl(kind) ? maskedSecret(url) : url) },
  { label: 'Bot token', value: ({ botToken }) => botToken, text: ({ botToken }) => maskedSecret(botToken) },
  { label: 'Chat', value: ({ chatId }) => chatId.trim() },
  { label: 'Switched on', value: ({ isOn }) => isOn, text: ({ isOn }) => (isOn ? 'On' : 'Off') },
  { label: 'Minimum severity', value: ({ severity }) => severity, text: ({ severity }) => severityNames[severity] },
  { label: 'Digest interval', value: ({ digest }) => digest },
  { label: 'Maximum messages per hour', value: ({ perHour }) => perHour.trim() },
];

const fieldOfKey: ReadonlyMap<string, keyof ChannelValues> = new Map<string, keyof ChannelValues>([
  ['name', 'name'],
  ['target.kind', 'kind'],
  ['target.addresses', 'addresses'],
  ['target.url', 'url'],
  ['target.bot_token', 'botToken'],
  ['target.chat_id', 'chatId'],
  ['minimum_severity', 'severity'],
  ['digest_minutes', 'digest'],
  ['per_hour', 'perHour'],
]);

/** The field of a key of a rejection; an address among several has its place at the end. */
function fieldOf(key: string): keyof ChannelValues | undefined {
  return fieldOfKey.get(key) ?? fieldOfKey.get(key.split('.').slice(0, 2).join('.'));
}

/** How a channel is edited. */
export const channelModel: SimpleModel<Channel, ChannelValues> = {
  noun: 'channel',
  schema: channel,
  valuesOf,
  fieldsOf: () => fields,
  merge: mergeFields,
  missingOf: ({ name, kind, addresses, chatId, perHour }) => [
    ...(name.trim() === '' ? ['Name'] : []),
    ...(kind === 'mail' && readAddresses(addresses).length === 0 ? ['Addresses'] : []),
    ...(kind === 'telegram' && chatId.trim() === '' ? ['Chat'] : []),
    ...(perHour.trim() === '' ? ['Maximum messages per hour'] : []),
  ],
  fieldOf,
};

/** Fields without which a channel leads nowhere: secrets of a new one, and those of one that is led elsewhere. */
export function missingSecrets(values: ChannelValues, base: Channel | undefined): string[] {
  const { kind, url, botToken } = values;
  const isNeeded = base === undefined || isTargetChanged(values, base);
  if (kind === 'telegram') return isNeeded && botToken.trim() === '' ? ['Bot token'] : [];
  return kind !== 'mail' && isNeeded && url.trim() === '' ? ['Url'] : [];
}

function targetOf({ kind, addresses, url, botToken, chatId }: ChannelValues): ChannelTarget {
  switch (kind) {
    case 'mail':
      return { kind, addresses: readAddresses(addresses) };
    case 'telegram':
      return { kind, bot_token: botToken.trim(), chat_id: chatId.trim() };
    default:
      return { kind, url: url.trim() };
  }
}

/** Whether the form leads elsewhere than the stored channel. */
export function isTargetChanged(values: ChannelValues, base: Channel): boolean {
  return JSON.stringify(targetOf(values)) !== JSON.stringify(targetOf(valuesOf(base)));
}

/** Saves a channel over the version that was loaded, or creates it. A new webhook has a signing secret, which is given once. */
export async function storeChannel(
  values: ChannelValues,
  base: Channel | undefined,
): Promise<{ channel: Channel; signing_secret: string | null }> {
  const others = {
    name: values.name.trim(),
    is_on: values.isOn,
    minimum_severity: values.severity,
    digest_minutes: Number(values.digest),
    per_hour: Number(values.perHour),
  };
  if (base === undefined) return (await call(createChannel, { body: { ...others, target: targetOf(values) } })).data;
  const { data } = await call(updateChannel, {
    params: { id: base.id },
    // An unchanged target is not sent, because its secrets are not known here.
    body: isTargetChanged(values, base) ? { ...others, target: targetOf(values) } : others,
    ifMatch: base.version,
    showsFailureItself: (status) => status === 412,
  });
  return { channel: data, signing_secret: null };
}

/** Whether a number of messages an hour can be saved. */
export function isPerHourValid(text: string): boolean {
  const count = Number(text);
  return text.trim() === '' || (Number.isInteger(count) && count >= 1 && count <= channelLimits.perHour);
}

/** Loads a channel; never from the cache, because a form starts with it. */
export function channelQuery(id: number): EntityQuery<Channel> {
  return {
    queryKey: ['channel', id],
    queryFn: async ({ signal }) => (await call(getChannel, { params: { id }, signal })).data,
    gcTime: 0,
    staleTime: Infinity,
  };
}

/** Replaces the cached channel. */
export function cacheChannel(entity: Channel): void {
  queryClient.setQueryData<Channel>(channelQuery(entity.id).queryKey, entity);
}

/** Reloads the channels when they are next shown. */
export async function refreshChannels(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: listKey('channels') });
}

/** Why an account cannot change channels. */
export const allAppsOnly = 'Channels send messages about all apps, so only accounts with access to all apps can change them.';

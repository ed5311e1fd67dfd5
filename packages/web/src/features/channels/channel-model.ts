import {
  channel,
  channelDefaults,
  channelFields,
  createChannel,
  getChannel,
  updateChannel,
  type Channel,
  type ChannelKind,
  type ChannelTarget,
} from '@switchyard/contract/channels';
import { defaultsOf, labelled } from '@switchyard/contract/entity';
import { z } from 'zod';
import { severityNames } from '../../shared/alerts/alert-words.ts';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { defineForm, maskedSecret } from '../../shared/entities/entity-form.tsx';
import { isSame } from '../../shared/form/conflict.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { paths } from '../../shared/paths.ts';

export const channelKindNames: Readonly<Record<ChannelKind, string>> = {
  mail: 'Mail',
  webhook: 'Webhook',
  telegram: 'Telegram',
  slack: 'Slack',
  mattermost: 'Mattermost',
  console: 'Inbox',
};

/** Tabs of a channel's page, as `startTabName` names them. */
export const channelTabs = { settings: 'Settings', messages: 'Messages' } as const;

/** The form of a channel, with the fields of every kind. Secrets are write-only: they start empty, and an empty one is kept. */
export type ChannelValues = Pick<Channel, 'kind' | keyof typeof channelFields> & {
  /** Addresses of mail, one a line. */
  addresses: string;
  url: string;
  bot_token: string;
  chat_id: string;
};

/** A channel, which has its signing secret when it was just created. */
type SavedChannel = Channel & { readonly signing_secret?: string | null };

const start: ChannelValues = {
  name: '',
  kind: 'mail',
  addresses: '',
  url: '',
  bot_token: '',
  chat_id: '',
  ...defaultsOf(channelDefaults),
};

function valuesOf({ addresses, url, chat_id, ...stored }: Channel): ChannelValues {
  return { ...stored, addresses: (addresses ?? []).join('\n'), url: url ?? '', bot_token: '', chat_id: chat_id ?? '' };
}

/** The addresses of a text: one a line, or separated by commas. */
function readAddresses(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

/** Null for the inbox, which leads nowhere else. */
function targetOf({ kind, addresses, url, bot_token, chat_id }: ChannelValues): ChannelTarget | null {
  switch (kind) {
    case 'mail':
      return { kind, addresses: readAddresses(addresses) };
    case 'console':
      return null;
    case 'telegram':
      return { kind, bot_token: bot_token.trim(), chat_id: chat_id.trim() };
    default:
      return { kind, url: url.trim() };
  }
}

/** Whether the form leads elsewhere than the stored channel. */
export function isTargetChanged(values: ChannelValues, stored: Channel): boolean {
  return !isSame(targetOf(values), targetOf(valuesOf(stored)));
}

/** Parts of the target that are missing. Its secrets are not known here, so a channel that leads elsewhere needs them again. */
function missingParts(values: ChannelValues, stored: Channel | undefined): (keyof ChannelValues)[] {
  const target = targetOf(values);
  if (target === null) return [];
  const needsSecret = stored === undefined || isTargetChanged(values, stored);
  if (target.kind === 'mail') return target.addresses.length === 0 ? ['addresses'] : [];
  if (target.kind !== 'telegram') return needsSecret && target.url === '' ? ['url'] : [];
  return [
    ...(needsSecret && target.bot_token === '' ? ['bot_token' as const] : []),
    ...(target.chat_id === '' ? ['chat_id' as const] : []),
  ];
}

const hidesUrl = (kind: ChannelKind): boolean => kind === 'slack' || kind === 'mattermost';

/** How a channel is edited. */
export const channelForm = defineForm<SavedChannel, ChannelValues>({
  noun: 'channel',
  list: { listTitle: 'Channels', listPath: paths.channels() },
  schema: channel,
  fields: {
    ...channelFields,
    digest_minutes: labelled('Digest interval', channelFields.digest_minutes),
    kind: labelled('Kind', z.string()),
    addresses: labelled('Addresses', z.string()),
    url: labelled('Url', z.string()),
    bot_token: labelled('Bot token', z.string()),
    chat_id: labelled('Chat', z.string()),
  },
  start,
  valuesOf,
  required: ['name'],
  incomplete: missingParts,
  compared: () => ({
    addresses: { value: ({ addresses }) => readAddresses(addresses), text: ({ addresses }) => readAddresses(addresses).join(', ') },
    url: { text: ({ kind, url }) => (hidesUrl(kind) ? maskedSecret(url) : url) },
    bot_token: { text: ({ bot_token: token }) => maskedSecret(token) },
    minimum_severity: { text: ({ minimum_severity: severity }) => severityNames[severity] },
  }),
  calls: {
    read: (input) => call(getChannel, input),
    create: async ({ body }) => {
      const target = targetOf(body);
      if (target === null) throw new Error('Channel: the start of the demo creates the inbox');
      const { data } = await call(createChannel, { body: { ...othersOf(body), target } });
      return { data: { ...data.channel, signing_secret: data.signing_secret } };
    },
    update: ({ body, ...input }, stored) => {
      // An unchanged target is not sent, because its secrets are not known here.
      const target = isTargetChanged(body, stored) ? targetOf(body) : null;
      return call(updateChannel, { ...input, body: { ...othersOf(body), ...(target !== null && { target }) } });
    },
  },
  refresh: refreshChannels,
});

/** The fields beside the kind and the target. */
function othersOf({ kind: _kind, addresses: _addresses, url: _url, bot_token: _token, chat_id: _chat, ...fields }: ChannelValues) {
  return { ...fields, name: fields.name.trim() };
}

/** Reloads the channels when they are next shown. */
export async function refreshChannels(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: listKey('channels') });
}

/** Why an account cannot change channels. */
export const allAppsOnly = 'Channels send messages about all apps, so only accounts with access to all apps can change them.';

import { z } from 'zod';
import { emailError } from './account-rules.ts';
import { alertMessages, alertSeverities } from './alerts.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { entityCalls, labelled } from './entity.ts';
import { defaultLimits } from './limits.ts';
import { cursor, idParams, limit, multiple, page, queryId } from './listing.ts';
import { delivery, messageStates } from './message-delivery.ts';
import { alertPermissions, holdsAny } from './permissions.ts';
import { bodyBoolean, choice, integer, integerChoice, requiredText, textOrElse } from './text-fields.ts';

/** Destinations that a channel can be created for. */
export const targetKinds = ['mail', 'webhook', 'telegram', 'slack', 'mattermost'] as const;
/** Destinations for messages. `console`: the inbox of the demo, which the start creates. */
export const channelKinds = [...targetKinds, 'console'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Maximum number of channels and addresses, messages an hour, and hours for which a replaced signing secret stays valid. */
export const channelLimits = {
  channels: 100,
  addresses: 20,
  nameCharacters: 100,
  urlCharacters: 2_048,
  perHour: 1_000,
  groupWaitSeconds: 600,
  groupMinutes: 1_440,
  oldSecretHours: 24,
  /** Tests of a channel a minute. */
  testsPerMinute: 5,
  /** Days for which messages are kept. */
  days: 30,
  /** Messages that the inbox of the demo keeps: the newest. */
  inboxMessages: 1_000,
} as const;

/** Minutes for which messages are gathered into one. 0: each is sent at once. */
export const digestMinutes = [0, 5, 15, 60] as const;

export const channelMessages = {
  missingName: '*The field name is required',
  tooMany: `There are already ${channelLimits.channels} channels. Delete one first.`,
  url: 'Enter an https address that is reachable from the internet.',
  addresses: 'Enter at least one valid e-mail address.',
  botToken: 'Enter the token of the bot, such as 123456:ABC-DEF.',
  chatId: 'Enter the number of the chat or the name of a channel, such as @alerts.',
  noMail: 'This console sends no mail, because SMTP_URL is not set.',
  kindChanges: 'The kind of a channel cannot be changed.',
  notFailed: 'Only failed messages can be sent again.',
  isOff: 'Switch the channel on first.',
  isOver: 'This incident is over, so its opening is no longer announced.',
  dropped: 'The incident was over before this message was delivered.',
  beginUndelivered: 'This channel may not have been told when it began.',
  newerReminder: 'A newer message about the incident has taken its place.',
  acknowledged: 'The incident was acknowledged before this reminder was delivered.',
  beganAgain: 'Began again since',
  nextBegun: 'The next incident of the same rule began before this message was delivered.',
  addressesLeft: 'The addresses that it had not reached are no longer in the channel.',
  secretLost: 'The secret cannot be decrypted. Enter the target again.',
  notSigned: 'Only webhooks have a signing secret.',
  noInbox: 'Only the demo has an inbox.',
  inInbox: 'Shown in the inbox.',
  inRules: (rules: number) =>
    `${rules === 1 ? 'A rule names' : `${rules} rules name`} this channel. Choose a channel that takes its place (replacement), or none (0).`,
} as const;

/** A url that messages are posted to. Its host must be public, unless the operator allows its network. */
const postUrl = requiredText(channelLimits.urlCharacters).refine((text) => isPostUrl(text), channelMessages.url);

function isPostUrl(text: string): boolean {
  if (!/^https?:\/\/(?!\/)[^\s\\#\p{Cc}]+$/iu.test(text) || !URL.canParse(text)) return false;
  const { host, username, password } = new URL(text);
  return host !== '' && username === '' && password === '';
}

const addresses = z
  .array(z.string().trim().max(254))
  .min(1, channelMessages.addresses)
  .max(channelLimits.addresses)
  .refine((texts) => texts.every((text) => emailError(text) === null), channelMessages.addresses);
const botToken = z.string().regex(/^\d{1,20}:[\w-]{20,100}$/, channelMessages.botToken);
const chatId = z.string().regex(/^(-?\d{1,20}|@\w{5,32})$/, channelMessages.chatId);

/**
 * Where a channel leads, as it is entered. The url of Slack and Mattermost and the token of a Telegram bot are secrets: they are
 * stored encrypted and never sent back.
 */
export const channelTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('mail'), addresses }),
  z.strictObject({ kind: z.literal('webhook'), url: postUrl }),
  z.strictObject({ kind: z.literal('telegram'), bot_token: botToken, chat_id: chatId }),
  z.strictObject({ kind: z.literal('slack'), url: postUrl }),
  z.strictObject({ kind: z.literal('mattermost'), url: postUrl }),
]);
export type ChannelTarget = z.output<typeof channelTarget>;

/** A channel. `shown_target` names where it leads without its secrets. Dates are UTC texts. */
export const channel = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(channelKinds),
  shown_target: z.string(),
  /** Addresses of mail, the url of a webhook and the chat of Telegram; null where they are secret. */
  addresses: z.array(z.string()).nullable(),
  url: z.string().nullable(),
  chat_id: z.string().nullable(),
  is_on: z.boolean(),
  /** Less severe messages are not sent. */
  minimum_severity: z.enum(alertSeverities),
  digest_minutes: z.int(),
  /** Maximum messages per hour; further ones are combined into one. */
  per_hour: z.int(),
  /** Seconds from the first message of a rule to the one message that has all of them, and minutes to the next one; 0 minutes: not grouped. */
  group_wait_seconds: z.int(),
  group_minutes: z.int(),
  /** The newest message that was sent, and failed ones of the last 30 days. */
  last_sent_at: z.string().nullable(),
  failed: z.int(),
  pending: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
export type Channel = z.output<typeof channel>;

/** A new or rotated channel. `signing_secret` of a webhook (`whsec_…`) is returned only here; null for other kinds. */
export const channelWithSecret = z.object({ channel, signing_secret: z.string().nullable() });

/** Fields of a channel beside its target. */
export const channelFields = {
  name: labelled('Name', textOrElse(channelLimits.nameCharacters, channelMessages.missingName)),
  is_on: labelled('Switched on', bodyBoolean),
  minimum_severity: labelled('Minimum severity', choice(alertSeverities)),
  digest_minutes: labelled('Digest interval, minutes', integerChoice(digestMinutes)),
  per_hour: labelled('Maximum messages per hour', integer().min(1).max(channelLimits.perHour)),
  group_wait_seconds: labelled('Group wait', integer().min(0).max(channelLimits.groupWaitSeconds)),
  group_minutes: labelled('Group interval', integer().min(0).max(channelLimits.groupMinutes)),
};

/** Fields that may be absent when a channel is created. */
export const channelDefaults = {
  is_on: channelFields.is_on.default(true),
  minimum_severity: channelFields.minimum_severity.default('info'),
  digest_minutes: channelFields.digest_minutes.default(0),
  per_hour: channelFields.per_hour.default(60),
  group_wait_seconds: channelFields.group_wait_seconds.default(30),
  group_minutes: channelFields.group_minutes.default(5),
};

/** Whether an account may see, change and choose channels, which carry messages about every app. */
export function mayUseChannels({ permissions, hasAllApps }: { permissions: readonly string[]; hasAllApps: boolean }): boolean {
  return hasAllApps && holdsAny(permissions, alertPermissions);
}

const access = { ...anyPermission(...alertPermissions), allApps: alertMessages.allApps } as const;
const calls = entityCalls({
  path: 'channels',
  firstNumber: 300,
  access,
  row: channel,
  fields: { ...channelFields, target: channelTarget },
  defaults: channelDefaults,
  summaries: {
    list: 'Channels, by name',
    create: 'Create a channel; returns the signing secret of a webhook',
    get: 'A channel',
    update: 'Change a channel; absent fields stay unchanged, a target is replaced as a whole',
    remove: 'Delete a channel with its messages; rules that name it get the replacement, if there is one',
  },
});

export const { list: listChannels, get: getChannel } = calls;

export const createChannel = defineEndpoint({
  ...calls.create,
  recentSignIn: { before: 'write' },
  answer: { kind: 'data', status: 201, schema: channelWithSecret },
});

export const updateChannel = defineEndpoint({
  ...calls.update,
  recentSignIn: { before: 'change', of: ['addresses', 'url', 'chat_id', 'bot_token', 'secret_url'] },
});

export const deleteChannel = defineEndpoint({
  ...calls.remove,
  /** The channel that takes its place in rules; 0: none does. */
  query: z.object({ replacement: queryId() }),
  rejections: [409],
});

/** A rule that names a channel. `name` is null if its kind is one that the caller may not see. */
export const channelRule = z.object({ id: z.int(), name: z.string().nullable(), is_only: z.boolean() });
export type ChannelRule = z.output<typeof channelRule>;

export const listChannelRules = defineEndpoint({
  number: 381,
  method: 'GET',
  path: 'channels/{id}/rules',
  summary: 'Rules that name a channel, by name; whether it is their only one',
  access,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: z.array(channelRule) },
});

/** The answer of a receiver to a test. `status` is that of HTTP or SMTP; null if nothing answered. */
export const testResult = z.object({ is_sent: z.boolean(), status: z.int().nullable(), answer: z.string(), milliseconds: z.int() });
export type TestResult = z.output<typeof testResult>;

export const testChannel = defineEndpoint({
  number: 305,
  method: 'POST',
  path: 'channels/{id}/test',
  summary: 'Send a test message and return the answer of the receiver',
  access,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: testResult },
  rejections: [429],
});

export const rotateChannelSecret = defineEndpoint({
  number: 306,
  method: 'POST',
  path: 'channels/{id}/secret',
  summary: 'Replace the signing secret of a webhook; messages carry both signatures for a day',
  access,
  recentSignIn: { before: 'write' },
  params: idParams,
  answer: { kind: 'data', status: 201, schema: channelWithSecret },
  rejections: [409],
});

/** A message of a channel. `uid` stays the same for each attempt, so that receivers can drop repeats. */
export const channelMessage = delivery.extend({
  id: z.int(),
  uid: z.string(),
  severity: z.enum(alertSeverities),
  title: z.string(),
});
export type ChannelMessage = z.output<typeof channelMessage>;

export const listMessages = defineEndpoint({
  number: 307,
  method: 'GET',
  path: 'channels/{id}/messages',
  summary: 'Messages of a channel of the last 30 days, newest first',
  access,
  params: idParams,
  query: z.object({ cursor, limit: limit(defaultLimits.messages), state: multiple(z.enum(messageStates)) }),
  answer: { kind: 'cursor', row: channelMessage },
});

export const resendMessage = defineEndpoint({
  number: 308,
  method: 'POST',
  path: 'channels/messages/{id}/resend',
  summary: 'Send a failed message again',
  access,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: channelMessage },
  rejections: [409],
});

/** A message in the inbox. `path` is that of the page about it. */
const inboxItem = z.object({
  id: z.int(),
  type: z.string(),
  severity: z.enum(alertSeverities),
  title: z.string(),
  lines: z.array(z.string()),
  path: z.string(),
  happened_at: z.string(),
});

/**
 * What the inbox of the demo got at once: one message, or several that were combined, the worst first. `to` and `attachment` are those of
 * the mail of a scheduled report, whose file is not kept; null for messages of a channel.
 */
export const inboxEntry = z.object({
  id: z.int(),
  channel: z.object({ id: z.int(), name: z.string() }),
  title: z.string(),
  severity: z.enum(alertSeverities),
  sent_at: z.string(),
  to: z.string().nullable(),
  attachment: z.object({ name: z.string(), bytes: z.int() }).nullable(),
  messages: z.array(inboxItem),
});
export type InboxEntry = z.output<typeof inboxEntry>;

export const listInbox = defineEndpoint({
  number: 410,
  method: 'GET',
  path: 'inbox',
  summary: 'Messages that the demo keeps instead of sending them, newest first; those of kinds and lists that the caller may see',
  access,
  query: z.object({ page, limit: limit(defaultLimits.messages) }),
  answer: { kind: 'page', row: inboxEntry },
});

/** A schedule that sends to a channel. `name` is null if it belongs to an account that the caller may not change. */
export const channelSchedule = z.object({ id: z.int(), name: z.string().nullable(), is_only: z.boolean() });
export type ChannelSchedule = z.output<typeof channelSchedule>;

export const listChannelSchedules = defineEndpoint({
  number: 411,
  method: 'GET',
  path: 'channels/{id}/schedules',
  summary: 'Schedules that send to a channel, by name; whether they send to nobody else',
  access,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: z.array(channelSchedule) },
});

import { visibleKinds } from '@switchyard/contract/alerts';
import * as contract from '@switchyard/contract/channels';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { couldBePostedTo, type AddressRule } from '../../adapters/pinned-post.ts';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import { randomSigningSecret } from '../../adapters/webhook-signature.ts';
import type { CallCounts } from '../../database/call-counts.ts';
import type { Databases } from '../../database/connect.ts';
import {
  existing,
  recordAudit,
  recordAudits,
  secretChange,
  transaction,
  type AuditEvent,
  type OpenTransaction,
} from '../../database/transaction.ts';
import { createEntity, saveEntity, type EntityRules, type ValidColumns } from '../../entities/entity-commands.ts';
import { deleteRow, updateColumns, updateRow } from '../../entities/entity-store.ts';
import { conflict, FieldErrors, notFound, tooManyAttempts } from '../../errors.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { randomToken } from '../../secret-keys/secret-token.ts';
import type { SealSecret } from '../../secret-keys/seal-secret.ts';
import { listChangeableIds } from '../accounts/changeable-accounts-lookup.ts';
import { listChannelRules, lockRules, updateChannelOfRules } from '../alerts/channel-rules-lookup.ts';
import { listChannelSchedules, updateChannelOfSchedules } from '../schedules/schedule-receivers-lookup.ts';
import { channelJob } from './announce.ts';
import { findUnknownChannel } from './channel-health-lookup.ts';
import { toChannel, toChannelMessage } from './channel-mapper.ts';
import { oldSecretEnd, openDestination, secretPlaces } from './channel-secrets.ts';
import { findChannel, listCountedChannels, lockChannel, updatePause, type StoredChannel } from './channels-store.ts';
import { insertKept } from './inbox-store.ts';
import { isOvertaken, lockMessage, updateToPending } from './messages-store.ts';
import type { MessageToSend, Send } from './message-to-send.ts';

export type ChannelDependencies = {
  db: Databases['db'];
  now: () => Date;
  sealSecret: SealSecret;
  readSecret: ReadSecret;
  sendJob: SendJob;
  send: Send;
  callCounts: Pick<CallCounts, 'count'>;
  addresses: AddressRule;
  /** Whether a mail server is set. */
  sendsMail: boolean;
  publicUrl: string;
  productName: string;
};

/** Secrets that a save stores: that of a new target, and the signing secret of a new webhook. */
type ValidChannel = ValidColumns & { targetSecret: string | null };
type ChannelRules = EntityRules<StoredFields, StoredChannel, contract.Channel, AccountCaller, ValidChannel>;
/** The target of a stored channel is known without its secrets, so it is validated where it is sent. */
type StoredFields = Pick<StoredChannel, keyof typeof contract.channelFields> & { readonly target?: contract.ChannelTarget | undefined };

/** Rules of channels: their kind stays, and secrets are sealed. `signingSecret`: that of a new webhook. */
export function channelRules(deps: ChannelDependencies, signingSecret: string | null): ChannelRules {
  return {
    entity: 'channel',
    table: 'channels',
    limit: { most: contract.channelLimits.channels, isOwn: false, message: contract.channelMessages.tooMany },
    lock: lockChannel,
    async read(db, id) {
      const [channel] = await listCountedChannels(db, id);
      return channel && toChannel(channel);
    },
    async validate(_tx, { sent: { target, ...fields }, before }) {
      if (target && before && target.kind !== before.kind) throw new FieldErrors({ 'target.kind': [contract.channelMessages.kindChanges] });
      if (target) requireReachable(deps, target);
      const { columns, secret } = target ? readTarget(target) : { columns: {}, secret: null };
      const newSecret = secret !== null && !(before && hasSecret(before, secret.text, deps.readSecret)) ? secret : null;
      return {
        fields: { ...fields, ...(target && { kind: target.kind }), ...columns },
        secrets: [...(newSecret === null ? [] : [newSecret.field]), ...(signingSecret === null ? [] : ['signing_secret'])],
        targetSecret: newSecret?.text ?? null,
      };
    },
    async afterSave(tx, { id, before, valid: { targetSecret } }) {
      const places = secretPlaces(id);
      await updateColumns(tx, 'channels', id, {
        ...(targetSecret !== null && { target_sealed: await deps.sealSecret(tx, targetSecret, places.target) }),
        ...(signingSecret !== null && { signing_secret_sealed: await deps.sealSecret(tx, signingSecret, places.signingSecret) }),
      });
      if (!before) return;
      // Messages that wait for a failed receiver may go through now.
      await updatePause(tx, id, null);
      await deps.sendJob(tx, channelJob(id));
    },
  };
}

/** Adds a channel; that of a webhook gets a signing secret. A target that cannot be reached is rejected before one too many. */
export async function createChannel(deps: ChannelDependencies, call: Call<typeof contract.createChannel>) {
  const { target } = call.body;
  requireReachable(deps, target);
  const signingSecret = target.kind === 'webhook' ? randomSigningSecret() : null;
  const channel = await createEntity(deps, channelRules(deps, signingSecret), call);
  return { channel, signing_secret: signingSecret };
}

/** Changes the fields of a channel that were sent. */
export async function saveChannel(deps: ChannelDependencies, call: Call<typeof contract.updateChannel>): Promise<contract.Channel> {
  return saveEntity(deps, channelRules(deps, null), call);
}

/**
 * Deletes a channel with its messages. Throws 404 if there is none, then 409 if rules name it and nothing is said about them, then 422 for
 * an unknown replacement.
 */
export async function deleteChannel(
  deps: ChannelDependencies,
  { params: { id }, query: { replacement }, caller, request }: Call<typeof contract.deleteChannel>,
) {
  await transaction(deps.db, async (tx) => {
    await lockRules(tx);
    const before = await lockChannel(tx, id);
    if (!before) throw notFound();
    const rules = await listChannelRules(tx, id);
    if (rules.length > 0 && replacement === undefined) throw conflict(contract.channelMessages.inRules(rules.length));
    const replacementIds = replacement === undefined || replacement === 0 ? [] : [replacement];
    if (replacementIds.includes(id) || (await findUnknownChannel(tx, replacementIds)) !== undefined)
      throw new FieldErrors({ replacement: [unknownIdMessage('replacement', replacement ?? 0)] });
    const change = { channelId: id, replacementIds, now: deps.now() };
    await updateChannelOfRules(tx, change);
    const schedules = await updateChannelOfSchedules(tx, change);
    await deleteRow(tx, 'channels', id);
    const { kind, addresses, url, chat_id, is_on, minimum_severity } = before;
    const fields = { kind, addresses, url, chat_id, is_on, minimum_severity };
    const changes = Object.entries(fields).flatMap(([field, from]) => (from === null ? [] : [{ field, from, to: null }]));
    const by = { actor: caller.account, request } as const;
    const ofRules = rules.map(({ id: ruleId, name: label, channelIds: from }): AuditEvent => {
      const to = [...new Set([...from.filter((one) => one !== id), ...replacementIds])].toSorted((a, b) => a - b);
      return { ...by, entity: 'alert_rule', action: 'update', id: ruleId, label, changes: [{ field: 'channel_ids', from, to }] };
    });
    const ofSchedules = schedules.map(({ name: label, ...changed }): AuditEvent => ({
      ...by,
      entity: 'schedule',
      action: 'update',
      label,
      ...changed,
    }));
    const deletion: AuditEvent = { ...by, entity: 'channel', action: 'delete', id, label: before.name, changes };
    return recordAudits(tx, [deletion, ...ofRules, ...ofSchedules], undefined);
  });
}

/** Rules that name a channel. Throws 404 if there is no such channel. */
export async function readChannelRules(
  { db }: ChannelDependencies,
  { params: { id }, caller }: Call<typeof contract.listChannelRules>,
): Promise<contract.ChannelRule[]> {
  if (!(await findChannel(db, id))) throw notFound();
  const kinds = visibleKinds(caller.account.permissions);
  return (await listChannelRules(db, id)).map((rule) => ({
    id: rule.id,
    name: kinds.includes(rule.kind) ? rule.name : null,
    is_only: rule.channelIds.length === 1,
  }));
}

/** Schedules that send to a channel; the names of those of accounts that the caller may change. Throws 404 if there is no such channel. */
export async function readChannelSchedules(
  { db }: ChannelDependencies,
  { params: { id }, caller }: Call<typeof contract.listChannelSchedules>,
): Promise<contract.ChannelSchedule[]> {
  if (!(await findChannel(db, id))) throw notFound();
  const schedules = await listChannelSchedules(db, id);
  const owners = schedules.map(({ ownerId }) => ownerId);
  const ownerIds = new Set(await listChangeableIds(db, caller, owners)).add(caller.account.id);
  return schedules.map(({ id: scheduleId, name, ownerId, isOnly }) => ({
    id: scheduleId,
    name: ownerIds.has(ownerId) ? name : null,
    is_only: isOnly,
  }));
}

/** Replaces the signing secret of a webhook. For a day the replaced one signs, too. Throws 404, then 409 for another kind. */
export async function rotateSecret(
  deps: ChannelDependencies,
  { params: { id }, caller, request }: Call<typeof contract.rotateChannelSecret>,
) {
  return transaction(deps.db, async (tx) => {
    const before = await lockChannel(tx, id);
    if (!before) throw notFound();
    if (before.kind !== 'webhook') throw conflict(contract.channelMessages.notSigned);
    const places = secretPlaces(id);
    const old = before.signing_secret_sealed === null ? null : deps.readSecret(before.signing_secret_sealed, places.signingSecret);
    const secret = randomSigningSecret();
    const columns = {
      signing_secret_sealed: await deps.sealSecret(tx, secret, places.signingSecret),
      old_signing_secret_sealed: old === null ? null : await deps.sealSecret(tx, old, places.oldSigningSecret),
      old_signing_secret_until: old === null ? null : oldSecretEnd(deps.now()),
    };
    await updateRow(tx, 'channels', id, columns, deps.now());
    const changes = [secretChange('signing_secret')];
    const event = { actor: caller.account, entity: 'channel', action: 'rotate_secret', id, label: before.name, request, changes } as const;
    return recordAudit(tx, event, { channel: await read(tx, id), signing_secret: secret });
  });
}

/** Sends a message at once, once, also through a channel that is off. Throws 404, then 429 for more than a few tests a minute. */
export async function testChannel(
  deps: ChannelDependencies,
  { params: { id }, caller, request }: Call<typeof contract.testChannel>,
): Promise<contract.TestResult> {
  const channel = await findChannel(deps.db, id);
  if (!channel) throw notFound();
  const { calls, secondsLeft } = deps.callCounts.count(`channel-test:${id}`, 60_000);
  if (calls > contract.channelLimits.testsPerMinute) throw tooManyAttempts(secondsLeft);
  await transaction(deps.db, async (tx) =>
    recordAudit(tx, { actor: caller.account, entity: 'channel', action: 'test', id, label: channel.name, request }),
  );
  const at = deps.now();
  const destination = openDestination(channel, deps.readSecret, at);
  if (!destination) return { is_sent: false, status: null, answer: contract.channelMessages.secretLost, milliseconds: 0 };
  const begin = performance.now();
  const message = testMessage(deps, channel, at);
  const result = await deps.send(destination, message, new AbortController().signal);
  // Other messages are stored before they are sent; the inbox shows what is stored.
  if (destination.kind === 'console' && result.kind === 'sent') await insertKept(deps.db, id, { ...message.items[0], path: '/' });
  return {
    is_sent: result.kind === 'sent',
    status: result.status,
    answer: result.answer,
    milliseconds: Math.round(performance.now() - begin),
  };
}

function testMessage({ publicUrl, productName }: ChannelDependencies, { name }: StoredChannel, at: Date): MessageToSend {
  const uid = `test-${randomToken()}`;
  const title = `Test message of ${productName}`;
  const lines = [`The channel ${name} works.`];
  return { id: uid, at, items: [{ uid, type: 'test', severity: 'info', at, title, lines, url: publicUrl, data: {} }] };
}

/** Sends a failed message again, by itself. Throws 404, then 409 for one that has not failed, of an incident that is over, and for a channel that is off. */
export async function resendMessage(
  deps: ChannelDependencies,
  { params: { id }, caller, request }: Call<typeof contract.resendMessage>,
): Promise<contract.ChannelMessage> {
  return transaction(deps.db, async (tx) => {
    const message = await lockMessage(tx, id);
    const channel = message && (await findChannel(tx, message.channel_id));
    if (!message || !channel) throw notFound();
    if (message.state !== 'failed') throw conflict(contract.channelMessages.notFailed);
    if (await isOvertaken(tx, id)) throw conflict(contract.channelMessages.isOver);
    if (!channel.is_on) throw conflict(contract.channelMessages.isOff);
    const result = toChannelMessage(existing(await updateToPending(tx, id, deps.now())));
    await updatePause(tx, channel.id, null);
    await deps.sendJob(tx, channelJob(channel.id));
    const changes = [{ field: 'message', from: null, to: message.title }];
    const event = {
      actor: caller.account,
      entity: 'channel',
      action: 'resend',
      id: channel.id,
      label: channel.name,
      request,
      changes,
    } as const;
    return recordAudit(tx, event, result);
  });
}

async function read(tx: OpenTransaction, id: number): Promise<contract.Channel> {
  const [channel] = await listCountedChannels(tx, id);
  return toChannel(existing(channel));
}

function hasSecret({ id, target_sealed: sealed }: StoredChannel, text: string, readSecret: ReadSecret): boolean {
  return sealed !== null && readSecret(sealed, secretPlaces(id).target) === text;
}

type TargetColumns = Pick<StoredChannel, 'addresses' | 'url' | 'chat_id'>;

/** Columns of a target, and its secret with its name in the trail. */
function readTarget(target: contract.ChannelTarget): { columns: TargetColumns; secret: { field: string; text: string } | null } {
  const none = { addresses: null, url: null, chat_id: null };
  if (target.kind === 'mail') return { columns: { ...none, addresses: [...new Set(target.addresses)] }, secret: null };
  if (target.kind === 'webhook') return { columns: { ...none, url: target.url }, secret: null };
  if (target.kind === 'telegram')
    return { columns: { ...none, chat_id: target.chat_id }, secret: { field: 'bot_token', text: target.bot_token } };
  return { columns: { ...none, url: new URL(target.url).origin }, secret: { field: 'secret_url', text: target.url } };
}

/** Throws 422 for mail without a mail server, and for a url that may not be posted to. */
function requireReachable({ addresses, sendsMail }: ChannelDependencies, target: contract.ChannelTarget): void {
  if (target.kind === 'mail' && !sendsMail) throw new FieldErrors({ 'target.kind': [contract.channelMessages.noMail] });
  if ('url' in target && !couldBePostedTo(new URL(target.url), addresses))
    throw new FieldErrors({ 'target.url': [contract.channelMessages.url] });
}

import { formatMicroseconds, type Microseconds, parseDateTime } from '@switchyard/contract/dates';
import type { ingestedConversion, ingestedPush } from '@switchyard/contract/ingest';
import { z } from 'zod';
import { type EventRow, uuidV7 } from './ingest-rows.ts';
import { type Random, seededRandom } from './seeded-random.ts';

/** A push of a campaign, sent to many clients. */
export type CampaignPush = { campaignUid: string; pushId: string; name: string; message: string };

const welcomes = [
  ['Welcome', 'Glad you are here', 'Your first bonus is waiting in the lobby.'],
  ['Welcome gift', 'A gift to begin with', 'Open the app today and take 50 free spins.'],
] as const;
const reminders = [
  ['Come back', 'We kept your seat', 'Your table is still free. Play on where you stopped.'],
  ['Weekend cup', 'The weekend cup starts', 'Join before Saturday noon and double your points.'],
  ['Daily reward', 'Day 3 in a row', 'Take your reward before midnight.'],
  ['Match alert', 'Kick-off in 30 minutes', 'See the odds of tonight and place your pick.'],
  ['Price alert', 'Your watch list moved', 'Three of your assets moved by more than 5 %.'],
] as const;

/** A welcome of the app, for a client that has just sent its push token. */
export function welcomePush(bundle: string): CampaignPush {
  return campaignPush(bundle, 'welcome', welcomes);
}

/** One of the app's reminders, which change from week to week. */
export function reminderPush(bundle: string, week: number, random: Random): CampaignPush {
  return campaignPush(bundle, `reminder ${week} ${random.integer(0, 2)}`, reminders);
}

function campaignPush(bundle: string, which: string, texts: readonly (readonly [string, string, string])[]): CampaignPush {
  const random = seededRandom('campaign', bundle, which);
  const [name, title, body] = random.pick(texts);
  const image = random.chance(0.8) ? { image: `https://images.example/push/${random.hex(8)}.png` } : {};
  const pushId = `p-${random.integer(1_000, 9_999)}`;
  const link = { deep_link: `app://${bundle}/${random.pick(['lobby', 'bonus', 'wallet'])}` };
  // Some campaigns hand in plain text: not every message is a notification.
  const message = random.chance(0.04) ? `${title}: ${body}` : JSON.stringify({ notification: { title, body, ...image }, data: link });
  return { campaignUid: `pc-${random.hex(6)}`, pushId, name, message };
}

/** A row of `POST ingest/pushes` ready to be sent. */
export type PushRow = z.input<typeof ingestedPush>;
/** A row of `POST ingest/conversions` ready to be sent. */
export type ConversionRow = z.input<typeof ingestedConversion>;

const week = 7 * 86_400_000_000;
const shares = { install: 0.62, sent: 0.93, reminder: 0.28 };
const outcomes = [
  { status: 'success', weight: 74 },
  { status: 'sent', weight: 14 },
  { status: 'error', weight: 12 },
] as const;
const failures = [
  'The registration token is not a valid FCM registration token',
  'Requested entity was not found.',
  'SenderId mismatch',
  'Topic quota exceeded',
] as const;
const conversionOutcomes = [
  { status: 'success', error: null, weight: 88 },
  { status: 'duplicate', error: null, weight: 7 },
  { status: 'error', error: 'HTTP 400: appsflyer_id is missing', weight: 3 },
  { status: 'error', error: 'Connection timed out after 5000 milliseconds', weight: 2 },
] as const;
/** The outcome of an action that a client reports, and its payout in euros. */
const reportedStages = new Map([
  ['registration', { kind: 'registration', from: 2, to: 9 }],
  ['first_deposit', { kind: 'deposit', from: 18, to: 140 }],
  ['deposit_open', { kind: 'lead', from: 0, to: 0 }],
  ['level_up', { kind: 'purchase', from: 1, to: 15 }],
]);
/** A report of these leads to a conversion only now and then. */
const rarely = new Map([
  ['registration', 0.45],
  ['level_up', 0.07],
  ['deposit_open', 0.2],
]);

const body = z.object({ event: z.string().optional(), click_id: z.string().optional() });

/** The pushes and conversions that follow from what clients did; the same events always lead to the same rows. */
export function deliveriesOf(events: readonly EventRow[]): { pushes: PushRow[]; conversions: ConversionRow[] } {
  const pushes: PushRow[] = [];
  const conversions: ConversionRow[] = [];
  for (const event of events) {
    if (typeof event.client_uid !== 'string' || event.client_uid === '') continue;
    const random = seededRandom('delivery', event.id);
    const at = parseDateTime(event.date);
    if (event.type === 'token') pushes.push(pushRow(event, at, random, welcomePush(event.bundle ?? '')));
    if (event.type === 'receive' && random.chance(shares.reminder))
      pushes.push(pushRow(event, at, random, reminderPush(event.bundle ?? '', Math.floor(at / week), random)));
    const conversion = conversionOf(event, at, random);
    if (conversion) conversions.push(conversion);
  }
  return { pushes, conversions };
}

function pushRow(event: EventRow, at: Microseconds, random: Random, push: ReturnType<typeof welcomePush>): PushRow {
  return {
    id: uuidV7(at, random),
    bundle: event.bundle,
    push_id: push.pushId,
    push_name: push.name,
    push_message: push.message,
    uid: `u-${random.hex(12)}`,
    client_uid: event.client_uid,
    push_campaign_uid: push.campaignUid,
    send_at: formatMicroseconds(at),
    status: 'pending',
    error: null,
    updated_at: formatMicroseconds(at),
  };
}

/** The push some seconds later: delivered, rejected, or rarely still pending. */
export function settledPush(push: PushRow): PushRow {
  const random = seededRandom('settled', push.id ?? '');
  const { status } = random.pickWeighted(outcomes);
  const updated_at = formatMicroseconds(parseDateTime(push.updated_at ?? push.send_at) + random.integer(1, 20) * 1_000_000);
  const error = status === 'error' ? random.pick(failures) : null;
  return random.chance(0.03) ? push : { ...push, status, error, updated_at };
}

function conversionOf(event: EventRow, at: Microseconds, random: Random): ConversionRow | null {
  const { event: name = '', click_id } = body.safeParse(event.type === 'track' ? event.body_request : event.body_response).data ?? {};
  const what = event.type === 'create' && click_id !== undefined ? { kind: 'install', from: 0, to: 3 } : reportedStages.get(name);
  if (what === undefined || !random.chance(what.kind === 'install' ? shares.install : (rarely.get(name) ?? 1))) return null;
  const { status, error } = random.pickWeighted(conversionOutcomes);
  const isGoogle = random.chance(0.25);
  return {
    id: uuidV7(at, random),
    bundle: event.bundle,
    source: isGoogle ? 'google_analytics' : 'appsflyer',
    client_uid: event.client_uid,
    stream_uid: event.stream_uid,
    click_id: click_id ?? `clk-${random.hex(20)}`,
    receive_apf_uid: isGoogle ? null : `${Math.floor(at / 1000)}-${random.integer(1_000_000_000, 9_999_999_999)}`,
    app_instance_id: isGoogle ? random.hex(32) : null,
    status_conversion: what.kind,
    payout: what.to === 0 ? null : random.integer(what.from * 100, what.to * 100) / 100,
    status,
    error,
    is_send: status === 'success' && random.chance(shares.sent),
    created_at: formatMicroseconds(at),
  };
}

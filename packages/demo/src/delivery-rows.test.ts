import { conversionStatuses } from '@switchyard/contract/conversions';
import { ingestedConversion, ingestedPush, ingestedStream } from '@switchyard/contract/ingest';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deliveriesOf, settledPush } from './delivery-rows.ts';
import { demoStreams } from './demo-streams.ts';
import { demoTraffic } from './simulator-clients.ts';
import { createHistory, hoursOf, planHistory } from './simulator-history.ts';
import { streamRowOf } from './ingest-rows.ts';

const until = Date.UTC(2026, 10, 20, 10, 30) * 1000;
const plan = planHistory({ seed: 'a', until, days: 2, events: 20_000, utcOffset: '+00:00' });
const history = createHistory(plan, demoTraffic());
const events = hoursOf(plan).flatMap((hour) => history.rowsOfHour(hour));
const { pushes, conversions } = deliveriesOf(events);
const settledPushes = pushes.map(settledPush);
const notification = z.object({ title: z.string(), body: z.string(), image: z.url({ protocol: /^https$/ }).optional() });

/** The notification of a push's message; null for plain text. */
function notificationOf(message: unknown): z.output<typeof notification> | null {
  if (typeof message !== 'string' || !message.startsWith('{')) return null;
  return z.object({ notification }).parse(JSON.parse(message)).notification;
}

describe('what follows from simulated traffic', () => {
  it('is about a fifth as much as there are events, in rows that ingestion accepts as they are', () => {
    for (const [rows, schema] of [
      [settledPushes, ingestedPush],
      [conversions, ingestedConversion],
      [demoStreams.map((stream) => streamRowOf(stream, until)), ingestedStream],
    ] as const) {
      expect(z.array(schema).safeParse(rows).error?.issues.slice(0, 3)).toBeUndefined();
    }
    expect((pushes.length + conversions.length) / events.length).toBeGreaterThan(0.12);
    expect((pushes.length + conversions.length) / events.length).toBeLessThan(0.35);
    const ids = [...pushes, ...conversions].map((row) => row.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is the same for the same events, and lies at or before their end', () => {
    expect(deliveriesOf(events)).toEqual({ pushes, conversions });
    expect(pushes.map(settledPush)).toEqual(settledPushes);
    for (const { created_at: at } of conversions) expect(Date.parse(`${at}Z`) * 1000).toBeLessThan(until);
  });

  it('holds every outcome, messages with and without a picture, plain ones, and conversions of every worth', () => {
    expect(new Set(settledPushes.map((push) => push.status))).toEqual(new Set(['pending', 'sent', 'success', 'error']));
    for (const push of settledPushes) expect(push.error !== null).toBe(push.status === 'error');
    const messages = settledPushes.map((push) => notificationOf(push.push_message));
    expect(messages.some((message) => message?.image !== undefined)).toBe(true);
    expect(messages.some((message) => message !== null && message.image === undefined)).toBe(true);
    expect(messages).toContain(null);
    expect(new Set(conversions.map((row) => row.status))).toEqual(new Set(conversionStatuses));
    expect(new Set(conversions.map((row) => row.status_conversion))).toEqual(
      new Set(['install', 'registration', 'deposit', 'lead', 'purchase']),
    );
    expect(conversions.some((row) => row.payout === null)).toBe(true);
    expect(conversions.some((row) => Number(row.payout) > 100)).toBe(true);
  });
});

import { expect } from '@playwright/test';

const day = 86_400_000;
/** The server of the tests is two hours ahead of UTC. */
const offset = 2 * 3_600_000;

/** `HH:MM` of UTC this number of days ago, as ISO 8601. Rows must be neither old nor in the future, whenever a test runs. */
export function daysAgo(days: number, time: string): string {
  return `${new Date(Date.now() - days * day).toISOString().slice(0, 10)}T${time}:00.000Z`;
}

/** The day `YYYY-MM-DD` that an instant falls on by the server's offset. */
export function serverDay(instant: string): string {
  return new Date(Date.parse(instant) + offset).toISOString().slice(0, 10);
}

/** A day as chips and tables write it: `DD.MM.YYYY`. */
export function writtenDay(instant: string): string {
  return serverDay(instant).split('-').reverse().join('.');
}

/** Milliseconds since the server's midnight. */
function sinceMidnight(): number {
  return (Date.now() + offset) % day;
}

/** Waits while the server's day ends within so many milliseconds or has just begun, for a test whose rows are all to be of the same today. */
export async function withinOneDay(lasting = 30_000): Promise<void> {
  await expect.poll(() => sinceMidnight() > 10_000 && sinceMidnight() < day - lasting, { timeout: lasting + 30_000 }).toBe(true);
}

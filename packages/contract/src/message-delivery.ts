import { z } from 'zod';

/** `dropped`: an incident began and ended before its message was delivered, so only its end is announced. */
export const messageStates = ['pending', 'sent', 'failed', 'dropped'] as const;
export type MessageState = (typeof messageStates)[number];

/** How far the delivery of a message has come. Dates are UTC texts. */
export const delivery = z.object({
  state: z.enum(messageStates),
  attempts: z.int(),
  /** The answer to the last attempt, or why it failed. */
  answer: z.string().nullable(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
});
export type Delivery = z.output<typeof delivery>;

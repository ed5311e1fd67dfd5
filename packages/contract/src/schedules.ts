import { z } from 'zod';
import { defineEndpoint, peopleAccess, peopleWith } from './endpoint.ts';
import { idParams } from './listing.ts';
import { bodyBoolean, choice, integer, textOrElse } from './text-fields.ts';

/** Lists whose saved views can be sent: those whose file does not grow with traffic. */
export const scheduledLists = ['reports', 'apps'] as const;

export const scheduleIntervals = ['day', 'week', 'month'] as const;
export type ScheduleInterval = (typeof scheduleIntervals)[number];

/** Maximum number of schedules of one account and of recipients, and days for which mails are listed. */
export const scheduleLimits = { perAccount: 50, recipients: 50, nameCharacters: 100, days: 30 } as const;

export const scheduleMessages = {
  missingName: '*The field name is required',
  tooMany: `You already have ${scheduleLimits.perAccount} schedules. Delete one first.`,
  view: 'Choose a saved view of reports or of apps that you can open.',
  recipients: 'Choose at least one recipient.',
  otherRecipients: 'Only accounts that see the list of users can choose other recipients than themselves.',
  noMail: 'This console sends no mail, because SMTP_URL is not set.',
  lostAccess: 'The recipient can no longer open this list.',
  tooLarge: 'The file is too large for a mail.',
} as const;

const named = z.object({ id: z.int(), name: z.string() });

/** Outcome of the newest mail to a recipient. `denied`: they have lost access. */
export const scheduleMailStates = ['pending', 'sent', 'denied', 'failed'] as const;

/**
 * A saved view that is mailed as a file. `hour` is that of the server's offset, `weekday` 1 (Monday) to 7 for a week, `month_day` 1 to
 * 28 for a month. Dates are UTC texts.
 */
export const schedule = z.object({
  id: z.int(),
  name: z.string(),
  /** `unknown_parameters`: those that the list ignores, of a view that was stored before they were rejected. */
  view: named.extend({ list: z.enum(scheduledLists), unknown_parameters: z.array(z.string()) }),
  interval: z.enum(scheduleIntervals),
  weekday: z.int(),
  month_day: z.int(),
  hour: z.int(),
  recipients: z.array(named.extend({ state: z.enum(scheduleMailStates).nullable(), sent_at: z.string().nullable() })),
  is_on: z.boolean(),
  next_run_at: z.string(),
  version: z.int(),
});
export type Schedule = z.output<typeof schedule>;

const fields = {
  name: textOrElse(scheduleLimits.nameCharacters, scheduleMessages.missingName),
  view_id: integer(),
  interval: choice(scheduleIntervals),
  weekday: integer().min(1).max(7),
  month_day: integer().min(1).max(28),
  hour: integer().min(0).max(23),
  /** Ids of staff accounts. */
  recipient_ids: z.array(integer()).min(1, scheduleMessages.recipients).max(scheduleLimits.recipients),
  is_on: bodyBoolean,
};

export const listSchedules = defineEndpoint({
  number: 340,
  method: 'GET',
  path: 'schedules',
  summary: 'Own schedules of reports, by name',
  access: peopleAccess,
  answer: { kind: 'data', status: 200, schema: z.array(schedule) },
});

export const createSchedule = defineEndpoint({
  number: 341,
  method: 'POST',
  path: 'schedules',
  summary: 'Schedule a saved view as a file in a mail',
  access: peopleAccess,
  recentSignIn: null,
  body: z.strictObject({
    ...fields,
    weekday: fields.weekday.default(1),
    month_day: fields.month_day.default(1),
    is_on: fields.is_on.default(true),
  }),
  answer: { kind: 'data', status: 201, schema: schedule },
});

export const getSchedule = defineEndpoint({
  number: 342,
  method: 'GET',
  path: 'schedules/{id}',
  summary: 'An own schedule',
  access: peopleAccess,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: schedule, etag: true },
});

export const updateSchedule = defineEndpoint({
  number: 343,
  method: 'PUT',
  path: 'schedules/{id}',
  summary: 'Change an own schedule; absent fields stay unchanged',
  access: peopleAccess,
  recentSignIn: null,
  params: idParams,
  body: z.strictObject(fields).partial(),
  answer: { kind: 'data', status: 200, schema: schedule, etag: true },
  rejections: [412],
});

export const deleteSchedule = defineEndpoint({
  number: 344,
  method: 'DELETE',
  path: 'schedules/{id}',
  summary: 'Delete an own schedule; with manager_user_deactivate that of an account that the caller may change',
  access: peopleAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

/** A schedule as its recipients and administrators see it. `is_paused`: its owner has no access. Dates are UTC texts. */
const foreignSchedule = schedule
  .pick({ id: true, name: true, interval: true, weekday: true, month_day: true, hour: true, is_on: true, next_run_at: true })
  .extend({
    view: z.object({ name: z.string(), list: z.enum(scheduledLists) }),
    owner: named,
    is_paused: z.boolean(),
    recipients: z.int(),
  });
export type ForeignSchedule = z.output<typeof foreignSchedule>;

export const listReceivedSchedules = defineEndpoint({
  number: 373,
  method: 'GET',
  path: 'schedules/received',
  summary: 'Schedules whose mails the caller gets, by name',
  access: peopleAccess,
  answer: { kind: 'data', status: 200, schema: z.array(foreignSchedule) },
});

export const leaveSchedule = defineEndpoint({
  number: 374,
  method: 'DELETE',
  path: 'schedules/received/{id}',
  summary: 'End the mails of a schedule for the caller',
  access: peopleAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});

export const listAllSchedules = defineEndpoint({
  number: 375,
  method: 'GET',
  path: 'schedules/all',
  summary: 'Schedules of all accounts that the caller may change, by name',
  access: peopleWith('manager_user_deactivate'),
  answer: { kind: 'data', status: 200, schema: z.array(foreignSchedule) },
});

import { z } from 'zod';
import { defineEndpoint, peopleAccess, peopleWith } from './endpoint.ts';
import { entityCalls, labelled } from './entity.ts';
import { idParams, readQuery } from './listing.ts';
import { bodyBoolean, choice, integer, storedId, textOrElse } from './text-fields.ts';

/** Lists whose saved views can be sent: those whose file does not grow with traffic. */
export const scheduledLists = ['reports', 'apps'] as const;

/** Forms of the file that is mailed. */
export const scheduleFormats = ['csv', 'xlsx'] as const;

export const scheduleIntervals = ['day', 'week', 'month'] as const;
export type ScheduleInterval = (typeof scheduleIntervals)[number];

/** Maximum number of schedules of one account and of recipients, and days for which mails are listed. */
export const scheduleLimits = { perAccount: 50, recipients: 50, channels: 20, nameCharacters: 100, days: 30 } as const;

export const scheduleMessages = {
  missingName: '*The field name is required',
  tooMany: `You already have ${scheduleLimits.perAccount} schedules. Delete one first.`,
  view: 'Choose a saved view of reports or of apps that you can open.',
  recipients: 'Choose at least one recipient or channel.',
  foreignChannels: 'Only accounts that can change channels can choose them.',
  otherRecipients: 'Only accounts that see the list of users can choose recipients other than themselves.',
  cannotOpen: (name: string, list: (typeof scheduledLists)[number], needs: readonly string[]) =>
    `${name} cannot open ${list === 'apps' ? 'Apps' : 'Reports'}, which needs ${needs.length === 1 ? 'the permission' : 'one of the permissions'} ${needs.join(', ')}.`,
  noAccess: (name: string) => `${name} has no access to the console.`,
  noMail: 'This console sends no mail, because SMTP_URL is not set.',
  notReachable: 'This account gets no mail.',
  lostAccess: 'The recipient can no longer open this list.',
  lostView: 'You can no longer see its saved view.',
  outdatedView: (why: string) => `Its saved view no longer fits: ${why}`,
  lostChannels: 'You can no longer use channels.',
  tooLarge: 'The file is too large for a mail.',
} as const;

const named = z.object({ id: z.int(), name: z.string() });

/** Outcome of the newest mail to a recipient. `denied`: they have lost access, or the owner of the schedule has lost its view. */
export const scheduleMailStates = ['pending', 'sent', 'denied', 'failed'] as const;

/**
 * A saved view that is mailed as a file. `hour` is that of the server's offset, `weekday` 1 (Monday) to 7 for a week, `month_day` 1 to
 * 28 for a month. Dates are UTC texts.
 */
export const schedule = z.object({
  id: z.int(),
  name: z.string(),
  /**
   * `unknown_parameters`: those that the list ignores, of a view that was stored before they were rejected. `has_fixed_days`: each mail
   * has the same days. `name` is null, and neither is told, if the owner of the schedule does not see the view any more; then nothing is mailed.
   */
  view: named.extend({
    name: z.string().nullable(),
    list: z.enum(scheduledLists),
    unknown_parameters: z.array(z.string()),
    has_fixed_days: z.boolean(),
  }),
  interval: z.enum(scheduleIntervals),
  weekday: z.int(),
  month_day: z.int(),
  hour: z.int(),
  recipients: z.array(named.extend({ state: z.enum(scheduleMailStates).nullable(), sent_at: z.string().nullable() })),
  /** Channels that get the figures of the report and a link to it, and what became of the newest message. */
  channels: z.array(named),
  channels_state: z.enum(scheduleMailStates).nullable(),
  format: z.enum(scheduleFormats),
  is_on: z.boolean(),
  next_run_at: z.string(),
  version: z.int(),
});
export type Schedule = z.output<typeof schedule>;

/** Fields of a schedule. `recipient_ids` are those of staff accounts. */
export const scheduleFields = {
  name: labelled('Name', textOrElse(scheduleLimits.nameCharacters, scheduleMessages.missingName)),
  view_id: labelled('View', storedId()),
  interval: labelled('Interval', choice(scheduleIntervals)),
  weekday: labelled('Day of the week', integer().min(1).max(7)),
  month_day: labelled('Day of the month', integer().min(1).max(28)),
  hour: labelled('Hour', integer().min(0).max(23)),
  recipient_ids: labelled('Recipients', z.array(storedId()).max(scheduleLimits.recipients)),
  channel_ids: labelled('Channels', z.array(storedId()).max(scheduleLimits.channels)),
  format: labelled('File', choice(scheduleFormats)),
  is_on: labelled('Switched on', bodyBoolean),
};

/** Fields that may be absent when a schedule is created. */
export const scheduleDefaults = {
  weekday: scheduleFields.weekday.default(1),
  month_day: scheduleFields.month_day.default(1),
  recipient_ids: scheduleFields.recipient_ids.default([]),
  channel_ids: scheduleFields.channel_ids.default([]),
  format: scheduleFields.format.default('csv'),
  is_on: scheduleFields.is_on.default(true),
};

/** Whether a view shows the same days whenever it is opened. */
export function hasFixedDays({ list, query }: { list: string; query: string }): boolean {
  return list === 'reports' && readQuery(query)['endDate'] !== undefined;
}

export type ScheduleFields = z.output<typeof createSchedule.body>;

export const {
  list: listSchedules,
  create: createSchedule,
  get: getSchedule,
  update: updateSchedule,
  remove: deleteSchedule,
} = entityCalls({
  path: 'schedules',
  firstNumber: 340,
  access: peopleAccess,
  row: schedule,
  fields: scheduleFields,
  defaults: scheduleDefaults,
  summaries: {
    list: 'Own schedules of reports, by name',
    create: 'Schedule a saved view as a file in a mail',
    get: 'An own schedule',
    update: 'Change an own schedule; absent fields stay unchanged',
    remove: 'Delete an own schedule; with manager_user_deactivate that of an account that the caller may change',
  },
});

export const sendSchedule = defineEndpoint({
  number: 388,
  method: 'POST',
  path: 'schedules/{id}/send',
  summary: 'Mail an own schedule now, to its owner alone',
  access: peopleAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
  rejections: [409],
});

/** A schedule as its recipients and administrators see it. `view.name`: null if the owner does not see it any more, and for administrators who do not see it. `is_paused`: the owner has no access. Dates are UTC texts. */
const foreignSchedule = schedule
  .pick({ id: true, name: true, interval: true, weekday: true, month_day: true, hour: true, is_on: true, next_run_at: true })
  .extend({
    view: z.object({ name: z.string().nullable(), list: z.enum(scheduledLists) }),
    owner: named,
    is_paused: z.boolean(),
    recipients: z.int(),
  });
export type ForeignSchedule = z.output<typeof foreignSchedule>;

/** `name`: null for a schedule of another account if the caller does not see all apps. */
const anySchedule = foreignSchedule.extend({ name: z.string().nullable() });
export type AnySchedule = z.output<typeof anySchedule>;

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
  answer: { kind: 'data', status: 200, schema: z.array(anySchedule) },
});

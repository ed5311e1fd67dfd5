import {
  createSchedule,
  getSchedule,
  schedule,
  scheduleDefaults,
  scheduleFields,
  updateSchedule,
  type Schedule,
  type ScheduleFields,
  type ScheduleInterval,
} from '@switchyard/contract/schedules';
import { defaultsOf } from '@switchyard/contract/entity';
import { weekdayNames } from '@switchyard/contract/weekly-times';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { defineForm } from '../../shared/entities/entity-form.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { paths } from '../../shared/paths.ts';

export const intervalNames: Readonly<Record<ScheduleInterval, string>> = { day: 'Daily', week: 'Weekly', month: 'Monthly' };

/** An hour of the clock, e.g. `08:00`. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** When a schedule runs, in words. */
export function timeText({ interval, weekday, month_day: monthDay, hour }: Pick<Schedule, 'interval' | 'weekday' | 'month_day' | 'hour'>) {
  const day = { day: 'Every day', week: `Every ${weekdayNames[weekday - 1] ?? ''}`, month: `Day ${monthDay} of every month` }[interval];
  return `${day} at ${hourText(hour)}`;
}

/** Shown instead of the name of a view that the owner of its schedule, or the reader, does not see. */
export const unseenView = 'Not visible';

/** A new schedule. */
export const scheduleStart: ScheduleFields = {
  name: '',
  view_id: 0,
  interval: 'week',
  hour: 8,
  ...defaultsOf(scheduleDefaults),
};

function idsOf(ones: readonly { id: number }[]): number[] {
  return ones.map(({ id }) => id).toSorted((a, b) => a - b);
}

/** How a schedule is edited. */
export const scheduleForm = defineForm<Schedule, ScheduleFields>({
  noun: 'schedule',
  list: { listTitle: 'Schedules', listPath: paths.schedules() },
  schema: schedule,
  fields: scheduleFields,
  start: scheduleStart,
  valuesOf: (stored) => ({
    ...stored,
    view_id: stored.view.id,
    recipient_ids: idsOf(stored.recipients),
    channel_ids: idsOf(stored.channels),
  }),
  required: ['name', 'view_id'],
  incomplete: ({ recipient_ids: people, channel_ids: channels }) => (people.length + channels.length === 0 ? ['recipient_ids'] : []),
  compared: (versions) => {
    const views = new Map(versions.map(({ view }) => [view.id, view.name]));
    const channels = new Map(versions.flatMap(({ channels: named }) => named.map(({ id, name }) => [id, name] as const)));
    const people = new Map(versions.flatMap(({ recipients }) => recipients.map(({ id, name }) => [id, name] as const)));
    return {
      view_id: { text: ({ view_id: id }) => views.get(id) ?? unseenView },
      interval: { label: 'Time', value: (values) => [values.interval, values.weekday, values.month_day, values.hour], text: timeText },
      weekday: null,
      month_day: null,
      hour: null,
      channel_ids: { text: ({ channel_ids: ids }) => ids.map((id) => channels.get(id) ?? id).join(', ') },
      format: { text: ({ format }) => format.toUpperCase() },
      recipient_ids: { text: ({ recipient_ids: ids }) => ids.map((id) => people.get(id) ?? id).join(', ') },
    };
  },
  calls: {
    read: (input) => call(getSchedule, input),
    create: (input) => call(createSchedule, input),
    update: (input) => call(updateSchedule, input),
  },
  refresh: refreshSchedules,
});

/** Reloads the schedules when they are next shown. */
export async function refreshSchedules(): Promise<void> {
  for (const name of ['schedules', 'schedules-received', 'schedules-all']) await queryClient.invalidateQueries({ queryKey: listKey(name) });
}

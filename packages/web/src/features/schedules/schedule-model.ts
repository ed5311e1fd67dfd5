import {
  createSchedule,
  getSchedule,
  schedule,
  updateSchedule,
  type Schedule,
  type ScheduleInterval,
} from '@switchyard/contract/schedules';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { mergeFields, type ComparedField } from '../../shared/form/conflict.ts';
import type { EntityQuery } from '../../shared/form/entity-page.tsx';
import type { SimpleModel } from '../../shared/form/use-draft.ts';
import { listKey } from '../../shared/listing/list-key.ts';

export const intervalNames: Readonly<Record<ScheduleInterval, string>> = { day: 'Daily', week: 'Weekly', month: 'Monthly' };

/** Monday first, as the API counts. */
export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** An hour of the clock, e.g. `08:00`. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** When a schedule runs, in words. */
export function timeText({ interval, weekday, month_day: monthDay, hour }: Pick<Schedule, 'interval' | 'weekday' | 'month_day' | 'hour'>) {
  const day = { day: 'Every day', week: `Every ${weekdayNames[weekday - 1] ?? ''}`, month: `Day ${monthDay} of every month` }[interval];
  return `${day} at ${hourText(hour)}`;
}

/** The form of a schedule. */
export type ScheduleValues = {
  readonly name: string;
  readonly viewId: string | null;
  readonly interval: ScheduleInterval;
  readonly weekday: number;
  readonly monthDay: number;
  readonly hour: number;
  readonly recipientIds: readonly string[];
  readonly isOn: boolean;
};

function valuesOf(entity: Schedule | undefined): ScheduleValues {
  return {
    name: entity?.name ?? '',
    viewId: entity === undefined ? null : String(entity.view.id),
    interval: entity?.interval ?? 'week',
    weekday: entity?.weekday ?? 1,
    monthDay: entity?.month_day ?? 1,
    hour: entity?.hour ?? 8,
    recipientIds: (entity?.recipients ?? []).map(({ id }) => String(id)).toSorted(),
    isOn: entity?.is_on ?? true,
  };
}

const fieldOfKey: ReadonlyMap<string, keyof ScheduleValues> = new Map<string, keyof ScheduleValues>([
  ['name', 'name'],
  ['view_id', 'viewId'],
  ['recipient_ids', 'recipientIds'],
  ['hour', 'hour'],
]);

/** Names of views and accounts in the versions that are compared. */
function fieldsOf(versions: readonly Schedule[]): readonly ComparedField<ScheduleValues>[] {
  const views = new Map(versions.map(({ view }) => [String(view.id), view.name]));
  const people = new Map(versions.flatMap(({ recipients }) => recipients.map(({ id, name }) => [String(id), name] as const)));
  return [
    { label: 'Name', value: ({ name }) => name.trim() },
    { label: 'View', value: ({ viewId }) => viewId, text: ({ viewId }) => views.get(viewId ?? '') ?? viewId ?? '' },
    {
      label: 'Time',
      value: (values) => [values.interval, values.weekday, values.monthDay, values.hour],
      text: (values) => timeText({ ...values, month_day: values.monthDay }),
    },
    {
      label: 'Recipients',
      value: ({ recipientIds }) => recipientIds,
      text: ({ recipientIds }) => recipientIds.map((id) => people.get(id) ?? id).join(', '),
    },
    { label: 'Switched on', value: ({ isOn }) => isOn, text: ({ isOn }) => (isOn ? 'On' : 'Off') },
  ];
}

/** How a schedule is edited. */
export const scheduleModel: SimpleModel<Schedule, ScheduleValues> = {
  noun: 'schedule',
  schema: schedule,
  valuesOf,
  fieldsOf,
  merge: mergeFields,
  missingOf: ({ name, viewId, recipientIds }) => [
    ...(name.trim() === '' ? ['Name'] : []),
    ...(viewId === null ? ['View'] : []),
    ...(recipientIds.length === 0 ? ['Recipients'] : []),
  ],
  fieldOf: (key) => fieldOfKey.get(key.split('.')[0] ?? ''),
};

/** Saves a schedule over the version that was loaded, or creates it. */
export async function storeSchedule(values: ScheduleValues, base: Schedule | undefined): Promise<Schedule> {
  const body = {
    name: values.name.trim(),
    view_id: Number(values.viewId),
    interval: values.interval,
    weekday: values.weekday,
    month_day: values.monthDay,
    hour: values.hour,
    recipient_ids: values.recipientIds.map(Number),
    is_on: values.isOn,
  };
  if (base === undefined) return (await call(createSchedule, { body })).data;
  const { data } = await call(updateSchedule, {
    params: { id: base.id },
    body,
    ifMatch: base.version,
    showsFailureItself: (status) => status === 412,
  });
  return data;
}

/** Loads a schedule; never from the cache, because a form starts with it. */
export function scheduleQuery(id: number): EntityQuery<Schedule> {
  return {
    queryKey: ['schedule', id],
    queryFn: async ({ signal }) => (await call(getSchedule, { params: { id }, signal })).data,
    gcTime: 0,
    staleTime: Infinity,
  };
}

/** Reloads the schedules when they are next shown. */
export async function refreshSchedules(): Promise<void> {
  for (const name of ['schedules', 'schedules-received', 'schedules-all']) await queryClient.invalidateQueries({ queryKey: listKey(name) });
}

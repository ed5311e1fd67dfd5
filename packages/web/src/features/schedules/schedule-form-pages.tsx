import { Input } from '@mantine/core';
import { listChannels } from '@switchyard/contract/channels';
import { listViews, viewLists } from '@switchyard/contract/saved-views';
import {
  hasFixedDays,
  scheduledLists,
  scheduleFormats,
  scheduleIntervals,
  scheduleLimits,
  type Schedule,
  type ScheduleFields,
} from '@switchyard/contract/schedules';
import { weekdayNames } from '@switchyard/contract/weekly-times';
import { useQuery } from '@tanstack/react-query';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { call, inBackground } from '../../shared/api/call.ts';
import { ChoiceField, SegmentField, SwitchField } from '../../shared/entities/entity-fields.tsx';
import { CreatePage, EditPage, type FieldControl, type FormFields } from '../../shared/entities/entity-form.tsx';
import { NameField } from '../../shared/form/save-bar-form.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { AppLink, readId, useParameter } from '../../shared/navigation.tsx';
import { useStaffNames } from '../../shared/accounts/use-staff-names.ts';
import { paths } from '../../shared/paths.ts';
import { useHoldsAny } from '../../shared/session/use-session.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { PickMany } from '../../shared/ui/pick-list.tsx';
import { SendNow } from './send-now.tsx';
import { hourText, intervalNames, scheduleForm, scheduleStart, unseenView } from './schedule-form.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, name: hourText(hour) }));
const weekdays = weekdayNames.map((name, index) => ({ value: index + 1, name }));
const monthDays = Array.from({ length: 28 }, (_, index) => ({ value: index + 1, name: String(index + 1) }));
const formats = scheduleFormats.map((format) => ({ value: format, label: format.toUpperCase() }));
const intervals = scheduleIntervals.map((interval) => ({ value: interval, label: intervalNames[interval] }));

/** Creates a schedule. The address may name the view to send. */
export function CreateSchedulePage() {
  const view = readId(useParameter('view')[0]);
  return (
    <CreatePage form={scheduleForm} start={{ ...scheduleStart, view_id: view ?? scheduleStart.view_id }}>
      {(form) => <Fields {...form} />}
    </CreatePage>
  );
}

export function EditSchedulePage() {
  return (
    <EditPage form={scheduleForm} renderActions={(schedule) => <SendNow schedule={schedule} />}>
      {(form) => <Fields {...form} />}
    </EditPage>
  );
}

function Fields({ entity, values: { interval }, field }: FormFields<Schedule, ScheduleFields>) {
  const offset = useServerOffset();
  return (
    <>
      <FormSection title="Report" summary="What is sent, and to whom.">
        <NameField maxLength={scheduleLimits.nameCharacters} {...field('name')} />
        <ViewChoice stored={entity?.view} {...field('view_id')} />
        <Recipients stored={entity?.recipients ?? []} {...field('recipient_ids')} />
        <SegmentField description="What recipients get. Channels get the totals and a link." options={formats} {...field('format')} />
        <Channels stored={entity?.channels ?? []} {...field('channel_ids')} />
      </FormSection>
      <FormSection title="Time" summary={`Times are in UTC${offset}. A missed mail is sent once.`}>
        <SegmentField showsLabel={false} options={intervals} {...field('interval')} />
        <div className="wrap">
          {interval === 'week' && <ChoiceField width={160} options={weekdays} {...field('weekday')} />}
          {interval === 'month' && <ChoiceField width={160} options={monthDays} {...field('month_day')} />}
          <ChoiceField width={120} options={hours} {...field('hour')} />
        </div>
        <SwitchField description="While it is off, nothing is mailed." {...field('is_on')} />
      </FormSection>
    </>
  );
}

/** The views of reports and apps that the reader may open; that of the schedule is among them while they load. */
function ViewChoice({ stored, ...field }: FieldControl<number> & { stored: Schedule['view'] | undefined }) {
  const seesReports = useHoldsAny(...viewLists.reports);
  const { data, isError, refetch } = useQuery({
    queryKey: ['views', 'scheduled'],
    queryFn: ({ signal }) => call(listViews, { query: {}, signal, ...inBackground }),
  });
  const views = data?.data.views.filter((view) => scheduledLists.some((name) => name === view.list)) ?? (stored ? [stored] : []);
  const chosen = data?.data.views.find(({ id }) => id === field.value);
  const isFixed = chosen === undefined ? stored?.id === field.value && stored.has_fixed_days : hasFixedDays(chosen);
  const options = views.map(({ id, name, list: of }) => ({
    value: id,
    name: `${name ?? unseenView} (${of === 'apps' ? 'Apps' : 'Reports'})`,
  }));
  return (
    <ChoiceField {...field} label="Saved view" width={320} options={options} onRetry={isError ? () => void refetch() : undefined}>
      {stored?.name === null && stored.id === field.value && (
        <p className="note">You can no longer see the saved view. Nothing is mailed until you choose another one.</p>
      )}
      {isFixed && (
        <p className="note">
          Every mail will have the same days, because this report ends on a fixed date. For days that move on, choose a period such as Last
          week in the report and save it again.
        </p>
      )}
      {data !== undefined && options.length === 0 && (
        <p className="note">
          You have no saved view to mail yet.{' '}
          <AppLink href={seesReports ? paths.reports() : paths.apps()}>Open {seesReports ? 'Reports' : 'Apps'}</AppLink> and save one.
        </p>
      )}
    </ChoiceField>
  );
}

/** Staff accounts to mail to. Who does not see the list of users can mail to themselves alone. */
function Recipients({ stored, label, value, error, onChange }: FieldControl<number[]> & { stored: Schedule['recipients'] }) {
  const { mayPick, names, user, onRetry } = useStaffNames(stored);
  if (user !== null) names.set(user.id, `${user.name} (you)`);
  return (
    <Input.Wrapper
      labelElement="div"
      error={error}
      description={mayPick ? undefined : 'You can send it to yourself. To send it to others, you need the permission to see users.'}
    >
      <PickMany
        label={label}
        placeholder="Nobody"
        width="100%"
        options={Array.from(names, ([id, name]) => ({ value: String(id), name }))}
        value={value.map(String)}
        onRetry={onRetry}
        onChange={(ids) => onChange(ids.map(Number).toSorted((a, b) => a - b))}
      />
    </Input.Wrapper>
  );
}

/** Channels that get the totals. Accounts that cannot change channels keep or remove those that are there. */
function Channels({ stored, label, value, error, onChange }: FieldControl<number[]> & { stored: Schedule['channels'] }) {
  const mayChoose = useMayChangeAlerts();
  const { data, isError, refetch } = useQuery({
    queryKey: listKey('channels'),
    queryFn: ({ signal }) => call(listChannels, { signal, ...inBackground }),
    enabled: mayChoose,
  });
  const known = new Map([...stored, ...(data?.data ?? [])].map(({ id, name }) => [id, name]));
  if (known.size === 0) return null;
  return (
    <Input.Wrapper labelElement="div" error={error}>
      <PickMany
        label={label}
        placeholder="None"
        width="100%"
        options={Array.from(known, ([id, name]) => ({ value: String(id), name }))}
        value={value.map(String)}
        onRetry={isError ? () => void refetch() : undefined}
        onChange={(ids) => onChange(ids.map(Number).toSorted((a, b) => a - b))}
      />
    </Input.Wrapper>
  );
}

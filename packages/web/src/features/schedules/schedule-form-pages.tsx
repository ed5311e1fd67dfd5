import { Input, SegmentedControl, Switch } from '@mantine/core';
import { listViews, viewLists } from '@switchyard/contract/saved-views';
import { scheduledLists, scheduleIntervals, scheduleLimits, type Schedule } from '@switchyard/contract/schedules';
import { accountListPermissions, listPickUsers } from '@switchyard/contract/users';
import { useQuery } from '@tanstack/react-query';
import { call, inBackground } from '../../shared/api/call.ts';
import { EntityForm, NameField } from '../../shared/form/entity-form.tsx';
import { EntityPage, LoadedEntity } from '../../shared/form/entity-page.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { useDraft } from '../../shared/form/use-draft.ts';
import { useEntityEdit } from '../../shared/form/use-entity-edit.ts';
import { AppLink, useGoBack } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useHoldsAny, useSessionUser } from '../../shared/session/use-session.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Dropdown, PickMany } from '../../shared/ui/pick-list.tsx';
import { hourText, intervalNames, refreshSchedules, scheduleModel, scheduleQuery, storeSchedule, weekdayNames } from './schedule-model.ts';

const list = { listTitle: 'Schedules', listPath: paths.schedules() };
const lastDay = 28;
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), name: hourText(hour) }));
const weekdays = weekdayNames.map((name, index) => ({ value: String(index + 1), name }));
const monthDays = Array.from({ length: lastDay }, (_, index) => ({ value: String(index + 1), name: String(index + 1) }));

export function CreateSchedulePage() {
  return (
    <EntityPage {...list}>
      <ScheduleForm />
    </EntityPage>
  );
}

export function EditSchedulePage() {
  return (
    <LoadedEntity noun={scheduleModel.noun} {...list} query={scheduleQuery}>
      {(schedule) => <ScheduleForm schedule={schedule} />}
    </LoadedEntity>
  );
}

/** The fields of a schedule; a new one is created without `schedule`. */
function ScheduleForm({ schedule }: { schedule?: Schedule }) {
  const goBack = useGoBack();
  const offset = useServerOffset();
  const draft = useDraft(scheduleModel, schedule);
  const edit = useEntityEdit(scheduleModel, draft, {
    entity: schedule,
    save: storeSchedule,
    onSaved: (saved) => {
      notify({ type: 'success', message: `Schedule "${saved.name}" ${schedule === undefined ? 'created' : 'saved'}` });
      void refreshSchedules();
      goBack(list.listPath);
    },
  });
  const { values } = draft;
  const [label, saveLabel] = schedule === undefined ? ['New schedule', 'Create'] : [`Schedule ${schedule.name}`, 'Save'];
  return (
    <EntityForm edit={edit} label={label} saveLabel={saveLabel}>
      <FormSection title="Report" summary="What is mailed, and to whom.">
        <NameField
          name="name"
          maxLength={scheduleLimits.nameCharacters}
          value={values.name}
          error={draft.errorOf('name')}
          onChange={(name) => draft.set({ name })}
        />
        <ViewChoice
          schedule={schedule}
          value={values.viewId}
          error={draft.errorOf('viewId')}
          onChange={(viewId) => draft.set({ viewId })}
        />
        <Recipients
          schedule={schedule}
          value={values.recipientIds}
          error={draft.errorOf('recipientIds')}
          onChange={(recipientIds) => draft.set({ recipientIds })}
        />
      </FormSection>
      <FormSection title="Time" summary={`Hours are those of UTC${offset}. A mail that was missed is sent once.`}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Interval"
          data={scheduleIntervals.map((interval) => ({ value: interval, label: intervalNames[interval] }))}
          value={values.interval}
          onChange={(interval) => draft.set({ interval })}
        />
        <div className="wrap">
          {values.interval === 'week' && (
            <Dropdown
              label="Day of the week"
              width={160}
              options={weekdays}
              value={String(values.weekday)}
              onChange={(weekday = '1') => draft.set({ weekday: Number(weekday) })}
            />
          )}
          {values.interval === 'month' && (
            <Dropdown
              label="Day of the month"
              width={160}
              options={monthDays}
              value={String(values.monthDay)}
              onChange={(day = '1') => draft.set({ monthDay: Number(day) })}
            />
          )}
          <Dropdown
            label="Hour"
            width={120}
            options={hours}
            value={String(values.hour)}
            onChange={(hour = '0') => draft.set({ hour: Number(hour) })}
          />
        </div>
        <Switch
          label="Switched on"
          description="While it is off, nothing is mailed."
          checked={values.isOn}
          onChange={(event) => draft.set({ isOn: event.currentTarget.checked })}
        />
      </FormSection>
    </EntityForm>
  );
}

type ViewProps = {
  schedule: Schedule | undefined;
  value: string | null;
  error: string | undefined;
  onChange: (id: string | null) => void;
};

/** The views of reports and apps that the reader may open; that of the schedule is among them while they load. */
function ViewChoice({ schedule, value, error, onChange }: ViewProps) {
  const seesReports = useHoldsAny(...viewLists.reports);
  const { data, isError, refetch } = useQuery({
    queryKey: ['views', 'scheduled'],
    queryFn: ({ signal }) => call(listViews, { query: {}, signal, ...inBackground }),
  });
  const stored = schedule === undefined ? [] : [schedule.view];
  const views = data?.data.views.filter((view) => scheduledLists.some((name) => name === view.list)) ?? stored;
  const options = views.map(({ id, name, list: of }) => ({ value: String(id), name: `${name} (${of === 'apps' ? 'Apps' : 'Reports'})` }));
  return (
    <Input.Wrapper labelElement="div" error={error}>
      <Dropdown
        label="Saved view"
        width={320}
        options={options}
        value={value ?? undefined}
        onRetry={isError ? () => void refetch() : undefined}
        onChange={(id) => onChange(id ?? null)}
      />
      {data !== undefined && options.length === 0 && (
        <p className="note">
          You have no saved view to mail yet.{' '}
          <AppLink href={seesReports ? paths.reports() : paths.apps()}>Open {seesReports ? 'Reports' : 'Apps'}</AppLink> and save one.
        </p>
      )}
    </Input.Wrapper>
  );
}

type RecipientProps = {
  schedule: Schedule | undefined;
  value: readonly string[];
  error: string | undefined;
  onChange: (ids: readonly string[]) => void;
};

/** Staff accounts to mail to. Who does not see the list of users can mail to themselves alone. */
function Recipients({ schedule, value, error, onChange }: RecipientProps) {
  const user = useSessionUser();
  const seesUsers = useHoldsAny(...accountListPermissions);
  const mayPick = useHoldsAny(...listPickUsers.access.anyOf) && seesUsers;
  const { data, isError, refetch } = useQuery({
    queryKey: ['users', 'pick'],
    queryFn: ({ signal }) => call(listPickUsers, { signal, ...inBackground }),
    enabled: mayPick,
  });
  const known = new Map<number, string>([
    ...(user === null ? [] : [[user.id, `${user.name} (you)`] as const]),
    ...(schedule?.recipients ?? []).map(({ id, name }) => [id, name] as const),
    ...(data?.data ?? []).map(({ id, name }) => [id, id === user?.id ? `${name} (you)` : name] as const),
  ]);
  return (
    <Input.Wrapper
      labelElement="div"
      error={error}
      description={mayPick ? undefined : 'You can mail to yourself; others need the permission to see users.'}
    >
      <PickMany
        label="Recipients"
        placeholder="Nobody"
        width="100%"
        options={Array.from(known, ([id, name]) => ({ value: String(id), name }))}
        value={value}
        onRetry={isError ? () => void refetch() : undefined}
        onChange={(ids) => onChange(ids.toSorted())}
      />
    </Input.Wrapper>
  );
}

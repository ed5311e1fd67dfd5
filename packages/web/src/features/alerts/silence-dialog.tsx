import { Alert, Stack, TextInput } from '@mantine/core';
import {
  alertKindNames,
  alertLimits,
  createSilence,
  listIncidents,
  type AlertKind,
  type AlertScope,
  type WeeklyTimes,
  weeklyTimes,
} from '@switchyard/contract/alerts';
import { maximumLimit } from '@switchyard/contract/limits';
import { weekdayNames } from '@switchyard/contract/weekly-times';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { kindWords } from '../../shared/alerts/alert-words.ts';
import { CallError, isUnconfirmed } from '../../shared/api/call-error.ts';
import { call, failingInPlace, inBackground } from '../../shared/api/call.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { useServerOptions } from '../../shared/listing/option-filter.tsx';
import { correctedClock } from '../../shared/time/corrected-clock.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Dropdown, PickMany } from '../../shared/ui/pick-list.tsx';
import { Popup } from '../../shared/ui/popup.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { useUnsavedWork } from '../../shared/unsaved-work.ts';
import classes from './incidents.module.css';
import { allApps, cleanScope, isScopeComplete, ScopeFields } from './scope-fields.tsx';
import { PeriodField, silenceEnd, SilenceNote, silencePeriods } from './silence-fields.tsx';
import { usePickRules } from './use-pick-rules.ts';

const presets = [...silencePeriods, { value: 'window', label: 'Dates' }, { value: 'weekly', label: 'Weekly' }];
const weekdays = weekdayNames.map((name, index) => ({ value: String(index + 1), name }));

type Props = {
  isOpen: boolean;
  /** The subject at first; null: none. */
  subject: { ruleId: number | null; appId: number | null; serverId: number | null };
  onClose: () => void;
  onCreated: () => Promise<void>;
};

/** The dialog that silences incidents for some time, or plans a maintenance window. */
export function SilenceDialog({ isOpen, subject, onClose, onCreated }: Props) {
  return (
    <Popup isOpen={isOpen} onClose={onClose} title="Create silence" width={560} closeOnBackdrop={false}>
      <SilenceForm subject={subject} onClose={onClose} onCreated={onCreated} />
    </Popup>
  );
}

type Values = {
  kind: AlertKind | undefined;
  rule: number | undefined;
  server: number | undefined;
  scope: AlertScope;
  preset: string;
  /** Times in the offset of the server, as `YYYY-MM-DDTHH:mm`. */
  from: string;
  until: string;
  /** Times of a weekly one, at clock times of the server. */
  weekly: WeeklyTimes;
  note: string;
};

/** When a silence begins and ends, as the call takes it; null while it is incomplete. A null start means now. */
function silenceTimes(
  { preset, from, until, weekly }: Pick<Values, 'preset' | 'from' | 'until' | 'weekly'>,
  { now, offset }: { now: Date; offset: string },
): { starts_at: string | null; ends_at: string; weekly?: WeeklyTimes } | null {
  if (preset === 'weekly') {
    if (!weeklyTimes.safeParse(weekly).success) return null;
    return { starts_at: now.toISOString(), ends_at: silenceEnd(String(alertLimits.weeklySilenceDays * 24 - 1), now), weekly };
  }
  if (preset !== 'window') return { starts_at: null, ends_at: silenceEnd(preset, now) };
  if (until === '' || (from !== '' && from >= until)) return null;
  const instant = (local: string): string => `${local}:00${offset}`;
  return { starts_at: from === '' ? null : instant(from), ends_at: instant(until) };
}

function SilenceForm({ subject, onClose, onCreated }: Omit<Props, 'isOpen'>) {
  const offset = useServerOffset();
  const [values, setValues] = useState<Values>({
    kind: undefined,
    rule: subject.ruleId ?? undefined,
    server: subject.serverId ?? undefined,
    scope: subject.appId === null ? allApps : { ...allApps, apps: 'chosen', app_ids: [subject.appId] },
    preset: '1',
    from: '',
    until: '',
    weekly: { weekdays: [], from: '02:00', until: '04:00' },
    note: '',
  });
  const [failure, setFailure] = useState<CallError | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  useUnsavedWork(values.note !== '' || values.until !== '' || values.weekly.weekdays.length > 0);
  const rules = usePickRules();
  const change = (changes: Partial<Values>): void => {
    setValues((before) => ({ ...before, ...changes }));
    setFailure(null);
  };
  const servers = useServerOptions([...listKey('servers'), 'names']);
  const { kind, rule, server, scope, preset, from, until, weekly, note } = values;
  const timesFromNow = () => silenceTimes(values, { now: correctedClock.serverNow(), offset });
  const timesError = failure?.fields['ends_at']?.[0] ?? failure?.fields['starts_at']?.[0];

  async function create(): Promise<void> {
    const times = timesFromNow();
    if (times === null) return;
    setIsRunning(true);
    try {
      const covered = { kind: kind ?? null, rule_id: rule ?? null, server_id: server ?? null, scope: cleanScope(scope) };
      await call(createSilence, { body: { ...covered, ...times, note: note.trim() }, ...failingInPlace });
      notify({ type: 'success', message: 'The silence has been created' });
      onClose();
      await onCreated();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(isUnconfirmed(error) ? null : error);
    } finally {
      setIsRunning(false);
    }
  }
  return (
    <DialogForm
      submitLabel="Create"
      isEnabled={timesFromNow() !== null && isScopeComplete(scope) && !isRunning}
      onSubmit={() => void create()}
      onCancel={onClose}
      gap="md"
    >
      <PeriodField periods={presets} value={preset} onChange={(next) => change({ preset: next })} />
      {preset === 'window' && (
        <div className={classes['times']}>
          <TextInput
            type="datetime-local"
            label="From"
            description="Empty: now"
            value={from}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            label="Until"
            description={`Server time, UTC${offset}`}
            value={until}
            error={from !== '' && until !== '' && from >= until ? 'The end must be after the start.' : timesError}
            onChange={(event) => change({ until: event.currentTarget.value })}
          />
        </div>
      )}
      {preset === 'weekly' && (
        <>
          <PickMany
            label="Weekdays"
            placeholder="None"
            width="100%"
            options={weekdays}
            value={weekly.weekdays.map(String)}
            onChange={(days) => change({ weekly: { ...weekly, weekdays: days.map(Number).toSorted((a, b) => a - b) } })}
          />
          <div className={classes['times']}>
            <TextInput
              type="time"
              label="From"
              value={weekly.from}
              onChange={(event) => change({ weekly: { ...weekly, from: event.currentTarget.value } })}
            />
            <TextInput
              type="time"
              label="Until"
              description={weekly.until <= weekly.from ? 'On the next day' : `Server time, UTC${offset}`}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={weekly.until}
              error={timesError}
              onChange={(event) => change({ weekly: { ...weekly, until: event.currentTarget.value } })}
            />
          </div>
          <p className="note">Repeats for a year, or until you end it.</p>
        </>
      )}
      <Stack gap="md">
        <Dropdown
          label="Kind"
          width="100%"
          placeholder="All kinds"
          isClearable
          options={alertKindNames.map((name) => ({ value: name, name: kindWords[name].name }))}
          value={kind}
          onChange={(next) => change({ kind: next })}
        />
        <Dropdown
          label="Rule"
          width="100%"
          placeholder="All rules"
          isClearable
          options={rules}
          value={rule === undefined ? undefined : String(rule)}
          onChange={(next) => change({ rule: next === undefined ? undefined : Number(next) })}
        />
        <Dropdown
          label="Server"
          width="100%"
          placeholder="All servers"
          isClearable
          options={servers.list ?? []}
          onRetry={servers.retry}
          value={server === undefined ? undefined : String(server)}
          onChange={(next) => change({ server: next === undefined ? undefined : Number(next) })}
        />
        <ScopeFields scope={scope} error={failure?.fields['scope']?.[0]} onChange={(next) => change({ scope: next })} />
      </Stack>
      <CoveredIncidents kind={kind} rule={rule} server={server} scope={scope} />
      <SilenceNote value={note} onChange={(next) => change({ note: next })} />
      {failure !== null && timesError === undefined && failure.fields['scope'] === undefined && (
        <Alert color="danger" variant="light" p="xs" role="alert" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {failure.message}
        </Alert>
      )}
    </DialogForm>
  );
}

/** How many open incidents a silence mutes, as far as the console can tell without the verticals of their apps. */
function CoveredIncidents({ kind, rule, server, scope }: Pick<Values, 'kind' | 'rule' | 'server' | 'scope'>) {
  const { data } = useQuery({
    queryKey: [...listKey('incidents'), 'covered', kind, rule, server],
    queryFn: ({ signal }) =>
      call(listIncidents, {
        query: {
          state: ['firing', 'acknowledged'],
          limit: maximumLimit,
          ...(rule !== undefined && { ruleId: rule }),
          ...(kind !== undefined && { kind: [kind] }),
          ...(server !== undefined && { serverId: server }),
        },
        signal,
        ...inBackground,
      }),
  });
  if (data === undefined || scope.apps === 'verticals') return null;
  const covered = data.data.filter(({ app }) => scope.apps === 'all' || (app !== null && scope.app_ids.includes(app.id)));
  const isCut = data.data.length < (data.pagination.total ?? 0);
  const count = `${isCut ? 'at least ' : ''}${groupedNumber(covered.length)} open ${covered.length === 1 ? 'incident' : 'incidents'}`;
  return (
    <output className="note">
      {rule === undefined && kind === undefined && server === undefined && scope.apps === 'all'
        ? `Mutes everything: ${count} and every new one.`
        : `Mutes ${count} and any new ones that match.`}
    </output>
  );
}

import { Input, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { alertKinds, alertLimits, alertSeverities, type AlertRule, visibleKinds } from '@switchyard/contract/alerts';
import { listChannels } from '@switchyard/contract/channels';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { kindWords, severityNames } from '../../shared/alerts/alert-words.ts';
import { call, inBackground } from '../../shared/api/call.ts';
import { EntityForm, NameField } from '../../shared/form/entity-form.tsx';
import { EntityPage, LoadedEntity } from '../../shared/form/entity-page.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { useDraft } from '../../shared/form/use-draft.ts';
import { useEntityEdit } from '../../shared/form/use-entity-edit.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { AppLink, useGoBack } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Dropdown, PickMany } from '../../shared/ui/pick-list.tsx';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { cacheRule, pendingRange, refreshRules, ruleModel, ruleQuery, storeRule, usualThreshold, type RuleValues } from './rule-model.ts';
import { RulePreview } from './rule-preview.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { incidentTabs } from './incident-tabs.ts';
import classes from './incidents.module.css';

const list = { listTitle: 'Incidents', listPath: paths.incidents({ startTabName: incidentTabs.rules }) };

/** Creates a rule and goes back one page. */
export function CreateRulePage() {
  const isAllowed = useMayChangeAlerts();
  return (
    <EntityPage {...list}>
      {isAllowed ? (
        <RuleForm />
      ) : (
        <StatePanel icon={IconLock} title="You cannot create rules">
          {changersOnly}
        </StatePanel>
      )}
    </EntityPage>
  );
}

/** Edits the rule that the address names and goes back one page. */
export function EditRulePage() {
  return (
    <LoadedEntity noun={ruleModel.noun} {...list} query={ruleQuery}>
      {(rule) => <RuleForm rule={rule} />}
    </LoadedEntity>
  );
}

/** The fields of a rule; a new one is created without `rule`. */
function RuleForm({ rule }: { rule?: AlertRule }) {
  const goBack = useGoBack();
  const mayChange = useMayChangeAlerts();
  const draft = useDraft(ruleModel, rule);
  const edit = useEntityEdit(ruleModel, draft, {
    entity: rule,
    save: storeRule,
    onReplaced: cacheRule,
    onSaved: ({ name }) => {
      notify({ type: 'success', message: `Rule "${name}" ${rule === undefined ? 'created' : 'saved'}` });
      void refreshRules();
      goBack(list.listPath);
    },
  });
  const { values } = draft;
  const [label, saveLabel] = rule === undefined ? ['New rule', 'Create'] : [`Rule ${rule.name}`, 'Save'];
  const lock = { isLocked: !mayChange };
  return (
    <EntityForm edit={edit} label={label} saveLabel={saveLabel} maySave={mayChange}>
      <FormSection title="Rule" summary={mayChange ? 'Name and severity.' : changersOnly} {...lock}>
        <NameField
          name="name"
          maxLength={alertLimits.nameCharacters}
          value={values.name}
          error={draft.errorOf('name')}
          onChange={(name) => draft.set({ name })}
        />
        <Input.Wrapper label="Severity" labelElement="div" error={draft.errorOf('severity')}>
          <SegmentedControl
            fullWidth
            mt={4}
            size="xs"
            aria-label="Severity"
            disabled={!mayChange}
            data={alertSeverities.map((severity) => ({ value: severity, label: severityNames[severity] }))}
            value={values.severity}
            onChange={(severity) => draft.set({ severity })}
          />
        </Input.Wrapper>
        <Switch
          label="Switched on"
          description="While off, it opens no incidents and closes its open ones."
          checked={values.isOn}
          disabled={!mayChange}
          onChange={(event) => draft.set({ isOn: event.currentTarget.checked })}
        />
      </FormSection>
      <Condition draft={draft} isNew={rule === undefined} isLocked={!mayChange} />
      {mayChange && (
        <FormSection title="Preview" summary="What the rule would have seen, and when it would have fired. Nothing is saved or sent.">
          <RulePreview values={values} />
        </FormSection>
      )}
      <FormSection title="Channels" summary="Where its incidents are announced." {...lock}>
        <ChannelChoice ids={values.channelIds} error={draft.errorOf('channelIds')} onChange={(channelIds) => draft.set({ channelIds })} />
      </FormSection>
    </EntityForm>
  );
}

/** Why an account may not change rules. */
const changersOnly = 'Only accounts that see all apps and manage roles or servers can change this.';

type Draft = ReturnType<typeof useDraft<AlertRule, RuleValues>>;

/** Subject and threshold of the rule. */
function Condition({ draft, isNew, isLocked }: { draft: Draft; isNew: boolean; isLocked: boolean }) {
  const { kind, threshold, pending, scope } = draft.values;
  const { threshold: range, unit, subject, ...rule } = alertKinds[kind];
  const kinds = visibleKinds(useSessionUser()?.permissions ?? []);
  const direction = 'firesBelow' in rule ? 'or less' : 'or more';
  return (
    <FormSection title="Condition" summary="What to watch, and when to fire." isLocked={isLocked}>
      {isNew ? (
        <Dropdown
          label="Kind"
          width={320}
          options={kinds.map((name) => ({ value: name, name: kindWords[name].name }))}
          value={kind}
          onChange={(next) => next !== undefined && draft.set({ kind: next, threshold: usualThreshold(next) })}
        />
      ) : (
        <TextInput label="Kind" readOnly data-locked value={kindWords[kind].name} />
      )}
      <p className="note">{kindWords[kind].help}</p>
      {range !== null && (
        <NumberField
          label="Threshold"
          unit={`${unit === 'percent' ? '%' : unit} ${direction}`}
          range={range}
          value={threshold}
          error={draft.errorOf('threshold')}
          onChange={(next) => draft.set({ threshold: next })}
        />
      )}
      <NumberField
        label="Pending"
        help="How long the condition must hold before an incident opens. 0: immediately."
        unit="minutes"
        range={pendingRange}
        value={pending}
        error={draft.errorOf('pending')}
        onChange={(next) => draft.set({ pending: next })}
      />
      {subject === 'app' && (
        <ScopeFields scope={scope} isLocked={isLocked} error={draft.errorOf('scope')} onChange={(next) => draft.set({ scope: next })} />
      )}
    </FormSection>
  );
}

type NumberProps = {
  label: string;
  help?: string;
  unit: string;
  range: { min: number; max: number };
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** A whole number with its unit behind it. */
function NumberField({ label, help, unit, range: { min, max }, value, error, onChange }: NumberProps) {
  const isWrong = value.trim() !== '' && !(Number.isInteger(Number(value)) && Number(value) >= min && Number(value) <= max);
  return (
    <div className={classes['amount']}>
      <TextInput
        label={label}
        description={help}
        inputMode="numeric"
        autoComplete="off"
        w={help === undefined ? 120 : 320}
        value={value}
        error={error ?? (isWrong ? `Enter a whole number from ${min} to ${max}.` : undefined)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <span className={classes['unit']}>{unit}</span>
    </div>
  );
}

type ChannelProps = { ids: readonly number[] | null; error: string | undefined; onChange: (ids: readonly number[] | null) => void };

const channelChoices = [
  { value: 'all', label: 'All channels, also later ones' },
  { value: 'chosen', label: 'Chosen channels' },
];

function ChannelChoice({ ids, error, onChange }: ChannelProps) {
  const mayChange = useMayChangeAlerts();
  const { data } = useQuery({
    queryKey: listKey('channels'),
    queryFn: ({ signal }) => call(listChannels, { signal, ...inBackground }),
    enabled: mayChange,
  });
  const channels = data?.data ?? [];
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Channels"
        disabled={!mayChange}
        data={channelChoices}
        value={ids === null ? 'all' : 'chosen'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
      />
      {ids !== null && (
        <PickMany
          label="Channels to inform"
          placeholder="No channels"
          width="100%"
          isDisabled={!mayChange || data === undefined}
          options={channels.map(({ id, name }) => ({ value: String(id), name }))}
          value={ids.map(String)}
          onChange={(next) => onChange(next.map(Number).toSorted((a, b) => a - b))}
        />
      )}
      {error !== undefined && <p role="alert">{error}</p>}
      {data?.data.length === 0 && (
        <p className="note">
          There are no channels yet, so incidents are shown here only. <AppLink href={paths.channels()}>Create a channel</AppLink>
        </p>
      )}
    </>
  );
}

import { SegmentedControl, TextInput } from '@mantine/core';
import { alertKinds, alertLimits, alertSeverities, visibleKinds, type AlertRule, type CreateRuleBody } from '@switchyard/contract/alerts';
import { listChannels } from '@switchyard/contract/channels';
import { useQuery } from '@tanstack/react-query';
import { kindWords, severityNames } from '../../shared/alerts/alert-words.ts';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { call, inBackground } from '../../shared/api/call.ts';
import {
  AmountField,
  CreatePage,
  EditPage,
  SegmentField,
  SwitchField,
  type FieldControl,
  type FormFields,
} from '../../shared/entities/entity-form.tsx';
import { NameField } from '../../shared/form/entity-form.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { Dropdown, PickMany } from '../../shared/ui/pick-list.tsx';
import { ruleForm, usualThreshold } from './rule-model.ts';
import { RulePreview } from './rule-preview.tsx';
import { ScopeFields } from './scope-fields.tsx';

/** Why an account may not change rules. */
const changersOnly = 'Only accounts that see all apps and manage roles or servers can change this.';

const severities = alertSeverities.map((severity) => ({ value: severity, label: severityNames[severity] }));

/** Creates a rule and goes back one page. */
export function CreateRulePage() {
  return (
    <CreatePage form={ruleForm} denied={useMayChangeAlerts() ? null : changersOnly}>
      {(form) => <Fields {...form} />}
    </CreatePage>
  );
}

/** Edits the rule that the address names and goes back one page. */
export function EditRulePage() {
  return (
    <EditPage form={ruleForm} maySave={useMayChangeAlerts()}>
      {(form) => <Fields {...form} />}
    </EditPage>
  );
}

type Form = FormFields<AlertRule, CreateRuleBody>;

function Fields(form: Form) {
  const { values, field } = form;
  const isLocked = !useMayChangeAlerts();
  return (
    <>
      <FormSection title="Rule" summary={isLocked ? changersOnly : 'Name and severity.'} isLocked={isLocked}>
        <NameField maxLength={alertLimits.nameCharacters} {...field('name')} />
        <SegmentField options={severities} disabled={isLocked} {...field('severity')} />
        <SwitchField description="While off, it opens no incidents and closes its open ones." disabled={isLocked} {...field('is_on')} />
      </FormSection>
      <Condition {...form} isLocked={isLocked} />
      {!isLocked && (
        <FormSection title="Preview" summary="Past values of the rule, and when it would have fired. Nothing is saved or sent.">
          <RulePreview values={values} ruleId={form.entity?.id ?? null} />
        </FormSection>
      )}
      <FormSection title="Channels" summary="Where its incidents are announced." isLocked={isLocked}>
        <ChannelChoice {...field('channel_ids')} />
      </FormSection>
    </>
  );
}

/** Subject and threshold of the rule. */
function Condition({ entity, values: { kind, threshold, scope }, field, isLocked }: Form & { isLocked: boolean }) {
  const { threshold: range, unit, subject, ...rule } = alertKinds[kind];
  const kinds = visibleKinds(useSessionUser()?.permissions ?? []);
  const direction = 'firesBelow' in rule ? 'or less' : 'or more';
  return (
    <FormSection title="Condition" summary="What to watch, and when to fire." isLocked={isLocked}>
      {entity === undefined ? (
        <Dropdown
          label="Kind"
          width={320}
          options={kinds.map((name) => ({ value: name, name: kindWords[name].name }))}
          value={kind}
          onChange={(next) => {
            if (next === undefined) return;
            field('kind').onChange(next);
            field('threshold').onChange(usualThreshold(next));
          }}
        />
      ) : (
        <TextInput label="Kind" readOnly data-locked value={kindWords[kind].name} />
      )}
      <p className="note">{kindWords[kind].help}</p>
      {range !== null && (
        <AmountField
          unit={`${unit === 'percent' ? '%' : unit} ${direction}`}
          w={120}
          range={range}
          {...field('threshold')}
          value={threshold ?? range.usual}
        />
      )}
      <AmountField
        description="How long the condition must hold before an incident opens. 0: immediately."
        unit="minutes"
        w={320}
        range={{ min: 0, max: alertLimits.pendingMinutes }}
        {...field('pending_minutes')}
      />
      {subject === 'app' && (
        <ScopeFields scope={scope} isLocked={isLocked} error={field('scope').error} onChange={field('scope').onChange} />
      )}
    </FormSection>
  );
}

const channelChoices = [
  { value: 'all', label: 'All channels, including future ones' },
  { value: 'chosen', label: 'Chosen channels' },
];

function ChannelChoice({ value: ids, error, onChange }: FieldControl<number[] | null>) {
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

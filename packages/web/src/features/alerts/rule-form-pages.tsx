import { Input, SegmentedControl, Skeleton, TextInput } from '@mantine/core';
import {
  alertKinds,
  alertLimits,
  alertSeverities,
  comparisons,
  visibleKinds,
  windowMinutes,
  type AlertRule,
  type CreateRuleBody,
  type KindRule,
} from '@switchyard/contract/alerts';
import { listChannels } from '@switchyard/contract/channels';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { comparisonNames, kindWords, severityNames, windowName } from '../../shared/alerts/alert-words.ts';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { call, inBackground } from '../../shared/api/call.ts';
import { AmountField, ChoiceField, SegmentField, SwitchField } from '../../shared/entities/entity-fields.tsx';
import { CreatePage, EditForm, EditPage, type FieldControl, type FormFields } from '../../shared/entities/entity-form.tsx';
import { NameField } from '../../shared/form/save-bar-form.tsx';
import { CopyPage, DuplicateLink } from '../../shared/form/entity-page.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { AppLink, readId, useParameter } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { Dropdown, PickMany } from '../../shared/ui/pick-list.tsx';
import { furtherOf, ruleForm, usualMeasure, usualThreshold } from './rule-model.ts';
import { RulePreview } from './rule-preview.tsx';
import { ScopeFields } from './scope-fields.tsx';

/** Few rules need the list of countries. */
const RequestFilterFields = lazy(async () => ({ default: (await import('./request-filter-fields.tsx')).RequestFilterFields }));

/** Why an account may not change rules. */
const changersOnly = 'Only accounts that see all apps and manage roles or servers can change this.';

const compared = comparisons.map((comparison) => ({ value: comparison, label: comparisonNames[comparison] }));
const severities = alertSeverities.map((severity) => ({ value: severity, label: severityNames[severity] }));

/** Creates a rule and goes back one page. The address may name a rule to copy. */
export function CreateRulePage() {
  const id = readId(useParameter('copy')[0]);
  const mayChange = useMayChangeAlerts();
  if (id !== null && mayChange) return <CopyRule key={id} id={id} />;
  return (
    <CreatePage form={ruleForm} denied={mayChange ? null : changersOnly}>
      {(form) => <Fields {...form} />}
    </CreatePage>
  );
}

function CopyRule({ id }: { id: number }) {
  const { noun, list, query } = ruleForm;
  return (
    <CopyPage<AlertRule> {...list} noun={noun} query={useQuery(query(id))}>
      {(rule) => (
        <EditForm
          form={ruleForm}
          entity={undefined}
          start={{ ...ruleForm.model.valuesOf(rule), name: `Copy of ${rule.name}`.slice(0, alertLimits.nameCharacters) }}
        >
          {(form) => <Fields {...form} />}
        </EditForm>
      )}
    </CopyPage>
  );
}

/** Edits the rule that the address names and goes back one page. */
export function EditRulePage() {
  const mayChange = useMayChangeAlerts();
  return (
    <EditPage
      form={ruleForm}
      maySave={mayChange}
      renderActions={({ id }) => mayChange && <DuplicateLink href={paths.alertRuleCreate(id)} />}
    >
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
        <AmountField
          description="Announce an open incident again until somebody acknowledges it. 0: never."
          unit="minutes"
          w={320}
          range={{ min: 0, max: alertLimits.reminderMinutes }}
          {...field('reminder_minutes')}
        />
      </FormSection>
    </>
  );
}

/** Subject and threshold of the rule. */
function Condition({ entity, values, field, isLocked }: Form & { isLocked: boolean }) {
  const { kind, threshold, scope, window_minutes, minimum, comparison } = values;
  const { threshold: range, unit, subject, window, counts, filters, hasSteps, ...rule }: KindRule = alertKinds[kind];
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
            const measure = usualMeasure(next);
            field('window_minutes').onChange(measure.window_minutes);
            field('minimum').onChange(measure.minimum);
            field('comparison').onChange(measure.comparison);
            field('request_filter').onChange(measure.request_filter);
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
      {hasSteps === true && (
        <FurtherThresholds {...field('further_thresholds')} value={furtherOf(values)} below={threshold ?? 0} isLocked={isLocked} />
      )}
      {window !== undefined && window_minutes !== null && (
        <ChoiceField
          width={200}
          options={windowMinutes
            .filter((minutes) => minutes >= window.min)
            .map((minutes) => ({ value: minutes, name: windowName(minutes) }))}
          {...field('window_minutes')}
          value={window_minutes}
        >
          <p className="note">{window_minutes < 60 ? 'The last full minutes, up to one minute ago.' : 'The last full hours.'}</p>
        </ChoiceField>
      )}
      {comparison !== null && (
        <SegmentField
          description={
            comparison === 'before'
              ? 'An incident ends once the time before is as low, but not while both are below the minimum volume.'
              : 'The same hours or minutes of that day.'
          }
          options={compared}
          disabled={isLocked}
          {...field('comparison')}
          value={comparison}
        />
      )}
      {minimum !== null && (
        <AmountField
          description={
            comparison === null ? 'Apps with less in the window are ignored.' : 'Apps with less in the time to compare with are ignored.'
          }
          unit={kind === 'payout_drop' ? 'payout' : (counts?.list ?? 'requests')}
          w={320}
          range={{ min: 1, max: alertLimits.minimum }}
          {...field('minimum')}
          value={minimum}
        />
      )}
      <AmountField
        description="How long the condition must hold before an incident opens. 0: immediately."
        unit="minutes"
        w={320}
        range={{ min: 0, max: alertLimits.pendingMinutes }}
        {...field('pending_minutes')}
      />
      <AmountField
        description="How long the condition must be over before an incident ends. 0: immediately."
        unit="minutes"
        w={320}
        range={{ min: 0, max: alertLimits.holdMinutes }}
        {...field('hold_minutes')}
      />
      {filters !== undefined && (
        <Suspense fallback={<Skeleton height={180} />}>
          <RequestFilterFields names={filters} isLocked={isLocked} {...field('request_filter')} />
        </Suspense>
      )}
      {subject === 'app' && (
        <ScopeFields scope={scope} isLocked={isLocked} error={field('scope').error} onChange={field('scope').onChange} />
      )}
    </FormSection>
  );
}

/** Days that are offered as further thresholds. */
const stepDays = [180, 90, 60, 45, 30, 21, 14, 10, 7, 5, 3, 2, 1];

type FurtherProps = FieldControl<number[]> & { below: number; isLocked: boolean };

/** Lower thresholds at which an open incident is announced again. */
function FurtherThresholds({ label, value, error, onChange, below, isLocked }: FurtherProps) {
  const days = [...new Set([...value, ...stepDays])].filter((limit) => limit < below).toSorted((a, b) => b - a);
  return (
    <Input.Wrapper
      labelElement="div"
      error={error}
      description={`Lower thresholds, each of which is announced when it is reached. At most ${alertLimits.furtherThresholds}.`}
    >
      <PickMany
        label={label}
        placeholder="None"
        width="100%"
        isDisabled={isLocked}
        options={days.map((limit) => ({ value: String(limit), name: limit === 1 ? '1 day' : `${limit} days` }))}
        value={value.map(String)}
        onChange={(next) => onChange(next.map(Number).toSorted((a, b) => b - a))}
      />
      {value.length > 0 && <p className="note">Announced at {[below, ...value].join(', ')} days.</p>}
    </Input.Wrapper>
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

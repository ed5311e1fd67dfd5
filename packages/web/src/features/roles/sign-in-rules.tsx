import { Alert, Button, Group, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core';
import { addDays } from '@switchyard/contract/dates';
import type { Panel } from '@switchyard/contract/permissions';
import type { BodyOf } from '@switchyard/contract/endpoint';
import { getSignInRules, saveSignInRules, type RuledRole, type SignInRules } from '@switchyard/contract/sign-in-rules';
import { IconAlertTriangle, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { currentVersion } from '../../shared/form/conflict.ts';
import { unshownReason } from '../../shared/form/rejected-fields.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useHoldsAny, useSessionUser } from '../../shared/session/use-session.ts';
import { todayIn } from '../../shared/time/today.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import { useUnsavedWork } from '../../shared/unsaved-work.ts';
import classes from './sign-in-rules.module.css';
import { RetryNote } from '../../shared/ui/retry.tsx';
import { Writes, useReadOnly } from '../../shared/ui/read-only.tsx';

/** The button that opens the sign-in rules: who needs a second factor. */
export function SignInRulesButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconShieldLock size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        Sign-in rules
      </Button>
      <Popup isOpen={isOpen} onClose={() => setIsOpen(false)} title="Sign-in rules" width={560} closeOnBackdrop={false}>
        <LoadedRules onClose={() => setIsOpen(false)} />
      </Popup>
    </>
  );
}

function LoadedRules({ onClose }: { onClose: () => void }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['sign-in-rules'],
    queryFn: async ({ signal }) => (await call(getSignInRules, { signal })).data,
    gcTime: 0,
    staleTime: Infinity,
  });
  if (data !== undefined) return <RulesForm key={data.version} rules={data} onClose={onClose} />;
  if (error === null)
    return <Skeleton component="output" display="block" height={240} radius="md" aria-label="Loading the sign-in rules" />;
  return (
    <RetryNote isRunning={isFetching} onRetry={refetch}>
      The sign-in rules could not be loaded. {error.message}
    </RetryNote>
  );
}

function RulesForm({ rules, onClose }: { rules: SignInRules; onClose: () => void }) {
  const user = useSessionUser();
  const readOnly = useReadOnly();
  const { base, chosen, choose, isChanged, isStale, problem, isRunning, save } = useRules(rules, onClose);
  const mayListAccounts = useHoldsAny('manager_user_edit');
  const today = todayIn(useServerOffset());
  const isOwn = ({ id, label, panel }: RuledRole): boolean => panel === 'user' && chosen.has(id) && user?.roles.includes(label) === true;
  const ownStarts = base.own_factor
    ? []
    : [chosen.get(allStaff), ...base.roles.filter(isOwn).map(({ id }) => chosen.get(id))].filter((day) => day !== undefined);
  const isDueNow = ownStarts.some((day) => day <= today);
  const ruleOf = (rule: Rule, name: string, { panel, count, lockReason, role }: RuleRow) => (
    <RuleFields
      key={rule}
      name={name}
      day={chosen.get(rule)}
      firstDay={addDays(today, 1)}
      count={count}
      href={isChanged || !mayListAccounts ? null : accountsWithout(panel, role)}
      lockReason={lockReason}
      isFirst={rule === allStaff}
      onChange={(day) => choose(rule, day)}
    />
  );
  const rolesOf = (panel: Panel, title: string) => (
    <fieldset className={classes['group']}>
      <legend>{title}</legend>
      {base.roles
        .filter((role) => role.panel === panel)
        .map(({ id, label, without_factor: count, read_only: isLocked }) =>
          ruleOf(id, label, {
            panel,
            count,
            role: label,
            lockReason: readOnly ?? (isLocked ? 'Your account may not change this role' : null),
          }),
        )}
    </fieldset>
  );
  return (
    <Stack gap="sm">
      <Text c="dimmed" size="sm">
        Who needs a second factor: an authenticator app or a passkey. People without one are asked to set it up before they can go on. Demo
        accounts are exempt.
      </Text>
      {isStale && (
        <Alert color="warning" variant="light" p="xs" role="alert" icon={<IconAlertTriangle size={18} aria-hidden />}>
          Somebody else changed the rules meanwhile. These are the current ones; make your change again.
        </Alert>
      )}
      {ruleOf(allStaff, 'All staff', {
        panel: 'user',
        count: base.staff.without_factor,
        lockReason: readOnly ?? (base.staff.read_only ? 'Your account may not change this rule' : null),
      })}
      <div className={classes['roles']}>
        {rolesOf('user', 'Staff with the role')}
        {rolesOf('buyer', 'Buyers with the role')}
      </div>
      {ownStarts.length > 0 && (
        <Alert color="warning" variant="light" p="xs" icon={<IconAlertTriangle size={18} aria-hidden />}>
          This concerns you, and you have no second factor.{' '}
          {isDueNow ? 'You are asked to set one up after saving.' : 'A notice reminds you until the rule applies.'}
        </Alert>
      )}
      {problem !== null && (
        <Alert color="danger" variant="light" p="xs" role="alert">
          {problem}
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Writes>
          <Button disabled={!isChanged || isRunning} onClick={() => void save()}>
            Save
          </Button>
        </Writes>
      </Group>
    </Stack>
  );
}

/** The rules as chosen and as stored, and saving them; the version of somebody else replaces the choice. */
function useRules(loadedRules: SignInRules, onSaved: () => void) {
  const [base, setBase] = useState(loadedRules);
  const [choice, setChoice] = useState(() => choiceOf(loadedRules));
  const [isRunning, setIsRunning] = useState(false);
  const [isStale, setIsStale] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isChanged = !isSameChoice(choice, choiceOf(base));
  useUnsavedWork(isChanged);

  const choose = (rule: Rule, day: string | null): void => {
    const next = new Map(choice);
    if (day === null) next.delete(rule);
    else next.set(rule, day);
    setChoice(next);
  };
  async function save(): Promise<void> {
    setIsRunning(true);
    try {
      await call(saveSignInRules, { body: bodyOf(choice), ifMatch: base.version, showsFailureItself: (status) => status === 412 });
      notify({ type: 'success', message: 'The sign-in rules have been saved' });
      onSaved();
    } catch (error) {
      const current = currentVersion(error, saveSignInRules.answer.schema);
      setProblem(error instanceof CallError ? unshownReason(error) : null);
      if (current === null) return;
      setBase(current);
      setChoice(choiceOf(current));
      setIsStale(true);
    } finally {
      setIsRunning(false);
    }
  }
  return { base, chosen: choice, choose, isChanged, isStale, problem, isRunning, save };
}

type RuleRow = { panel: Panel; count: number | null; lockReason: string | null; role?: string };

type FieldsProps = {
  name: string;
  /** The day from which the rule applies, an empty text for at once; undefined while it is off. */
  day: string | undefined;
  firstDay: string;
  /** Number of accounts without a second factor; null if the reader may not know. */
  count: number | null;
  href: string | null;
  /** Why the rule may not be changed; null if it may. */
  lockReason: string | null;
  isFirst: boolean;
  /** Gets null when the rule is switched off. */
  onChange: (day: string | null) => void;
};

/** The switch of a rule and the day from which it applies. */
function RuleFields({ name, day, firstDay, count, href, lockReason, isFirst, onChange }: FieldsProps) {
  return (
    <div>
      <Switch
        label={withMarks(name)}
        description={lockReason ?? <Due count={count} href={href} />}
        checked={day !== undefined}
        disabled={lockReason !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? '' : null)}
        {...(isFirst && { 'data-autofocus': true })}
      />
      {day !== undefined && (
        <TextInput
          type="date"
          size="xs"
          mt={6}
          ml={48}
          w={168}
          label="Applies from"
          aria-label={`${name} applies from`}
          description={day === '' ? 'No day: immediately' : undefined}
          inputWrapperOrder={['label', 'input', 'description']}
          min={firstDay}
          value={day}
          disabled={lockReason !== null}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

/** How many accounts a rule would ask to set one up, with a link to them. */
function Due({ count, href }: { count: number | null; href: string | null }): ReactNode {
  if (count === null) return null;
  if (count === 0) return 'Every account has one';
  const text = count === 1 ? '1 account has none yet' : `${count} accounts have none yet`;
  return href === null ? text : <AppLink href={href}>{text}</AppLink>;
}

/** The list of the accounts that a rule would ask to set one up. */
function accountsWithout(panel: Panel, role: string | undefined): string {
  const filters = { access: 'granted', secondFactor: 'none', ...(role === undefined ? {} : { role }) };
  return paths.users(panel === 'user' ? 'Users' : 'Buyers', filters);
}

/** The rule for all staff, or the id of the role that a rule is about. */
type Rule = typeof allStaff | number;
const allStaff = 'all' as const;

/** The rules that are on, with the day from which each applies; an empty text: at once. */
type Choice = ReadonlyMap<Rule, string>;

function choiceOf({ all_staff: isOn, all_staff_from: from, role_ids: roleIds, roles_from: days }: SignInRules): Choice {
  const dayOfRole = new Map(days.map(({ id, from: day }) => [id, day]));
  const roles = roleIds.map((id): [Rule, string] => [id, dayOfRole.get(id) ?? '']);
  return new Map([...(isOn ? [[allStaff, from ?? ''] as const] : []), ...roles]);
}

function isSameChoice(one: Choice, other: Choice): boolean {
  return one.size === other.size && [...one].every(([rule, day]) => other.get(rule) === day);
}

function bodyOf(choice: Choice): BodyOf<typeof saveSignInRules> {
  const roles = [...choice].flatMap(([rule, day]) => (rule === allStaff ? [] : [{ id: rule, from: day }])).toSorted((a, b) => a.id - b.id);
  return {
    all_staff: choice.has(allStaff),
    all_staff_from: choice.get(allStaff) || null,
    role_ids: roles.map(({ id }) => id),
    roles_from: roles.filter(({ from }) => from !== ''),
  };
}

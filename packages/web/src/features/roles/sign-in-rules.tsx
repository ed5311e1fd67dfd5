import { Alert, Button, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { getSignInRules, saveSignInRules, type RuledRole, type SignInRules } from '@switchyard/contract/sign-in-rules';
import { IconAlertTriangle, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../shared/api/call.ts';
import { currentVersion } from '../../shared/form/conflict.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import classes from './sign-in-rules.module.css';

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
  if (data !== undefined) return <RulesForm key={data.version} loaded={data} onClose={onClose} />;
  if (error === null) return <Skeleton height={240} radius="md" aria-label="Loading the sign-in rules" />;
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">The sign-in rules could not be loaded. {error.message}</Text>
      <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </Stack>
  );
}

function RulesForm({ loaded, onClose }: { loaded: SignInRules; onClose: () => void }) {
  const user = useSessionUser();
  const [base, setBase] = useState(loaded);
  const [allStaff, setAllStaff] = useState(loaded.all_staff);
  const [roleIds, setRoleIds] = useState<readonly number[]>(loaded.role_ids);
  const [isRunning, setIsRunning] = useState(false);
  const [isStale, setIsStale] = useState(false);
  const isOwn = ({ id, label, panel }: RuledRole): boolean =>
    panel === 'user' && roleIds.includes(id) && user?.roles.includes(label) === true;
  const concernsReader = !base.own_factor && (allStaff || base.roles.some(isOwn));
  const isChanged = allStaff !== base.all_staff || roleIds.toSorted((a, b) => a - b).join() !== base.role_ids.join();

  const toggle = (id: number): void => setRoleIds(roleIds.includes(id) ? roleIds.filter((other) => other !== id) : [...roleIds, id]);
  async function save(): Promise<void> {
    setIsRunning(true);
    try {
      const body = { all_staff: allStaff, role_ids: [...roleIds] };
      await call(saveSignInRules, { body, ifMatch: base.version, showsFailureItself: (status) => status === 412 });
      notify({ type: 'success', message: 'The sign-in rules have been saved' });
      onClose();
    } catch (error) {
      const current = currentVersion(error, saveSignInRules.answer.schema);
      if (current === null) return;
      setBase(current);
      setAllStaff(current.all_staff);
      setRoleIds(current.role_ids);
      setIsStale(true);
    } finally {
      setIsRunning(false);
    }
  }
  const rolesOf = (panel: RuledRole['panel'], title: string) => (
    <fieldset className={classes['group']}>
      <legend>{title}</legend>
      {base.roles
        .filter((role) => role.panel === panel)
        .map((role) => (
          <Switch
            key={role.id}
            label={withMarks(role.label)}
            description={role.read_only ? 'Your account may not change this role' : dueText(role.without_factor)}
            checked={roleIds.includes(role.id)}
            disabled={role.read_only}
            onChange={() => toggle(role.id)}
          />
        ))}
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
      <Switch
        label="All staff"
        description={base.staff.read_only ? 'Your account may not change this rule' : dueText(base.staff.without_factor)}
        checked={allStaff}
        disabled={base.staff.read_only}
        onChange={(event) => setAllStaff(event.currentTarget.checked)}
        data-autofocus
      />
      <div className={classes['roles']}>
        {rolesOf('user', 'Staff with the role')}
        {rolesOf('buyer', 'Buyers with the role')}
      </div>
      {concernsReader && (
        <Alert color="warning" variant="light" p="xs" icon={<IconAlertTriangle size={18} aria-hidden />}>
          This concerns you, and you have no second factor. You are asked to set one up after saving.
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!isChanged || isRunning} onClick={() => void save()}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}

function dueText(count: number | null): string {
  if (count === null) return '';
  if (count === 0) return 'Nobody has to set one up';
  return count === 1 ? '1 account has none yet' : `${count} accounts have none yet`;
}

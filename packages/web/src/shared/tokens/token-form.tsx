import { Alert, Button, Group, Input, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { apiTokenDays, apiTokenLimits, apiTokenMessages, type ApiToken } from '@switchyard/contract/api-tokens';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { PermissionGroup } from '../accounts/permission-group.tsx';
import { permissionGroups } from '../accounts/permission-groups.ts';
import { CallError, isUnconfirmed } from '../api/call-error.ts';
import { isSame } from '../form/conflict.ts';
import { DialogForm } from '../form/dialog-form.tsx';
import { limitProps } from '../form/limited.ts';
import { useSessionUser } from '../session/use-session.ts';
import { useUnsavedWork } from '../unsaved-work.ts';
import { TokenApps } from './token-apps.tsx';
import classes from './tokens.module.css';
import { missingOf, presetIds, tokenPresets } from './token-presets.ts';
import { heldPermissions, tokenValues, wrongNetwork, type TokenDays, type TokenValues } from './token-values.ts';

type Props = {
  /** The token to change; without it a new one is made. */
  token?: ApiToken;
  /** Whether it may be without an expiry. */
  mayNeverExpire: boolean;
  /** Label of the choice of all apps; null if they cannot be given. */
  allAppsLabel: string | null;
  /** Makes the call; its failure is shown here. */
  save: (values: TokenValues) => Promise<void>;
  onClose: () => void;
};

const fieldKeys: readonly string[] = ['name', 'permission_ids', 'app_ids', 'networks', 'expires_in_days'];

/** The fields of a token: name, expiry, permissions, apps and networks. */
export function TokenForm({ token, mayNeverExpire, allAppsLabel, save, onClose }: Props) {
  const [initial] = useState(() => tokenValues(token, allAppsLabel !== null));
  const [values, setValues] = useState(initial);
  const [failure, setFailure] = useState<CallError | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  useUnsavedWork(!isSame(values, initial));
  const change = (changes: Partial<TokenValues>): void => {
    setValues((before) => ({ ...before, ...changes }));
    setFailure(null);
  };
  const errorOf = (key: string): string | undefined => failure?.fields[key]?.[0];
  const general = failure !== null && !fieldKeys.some((key) => errorOf(key) !== undefined) ? failure.message : null;
  const wrong = wrongNetwork(values);
  const isComplete = values.name.trim() !== '' && values.permissionIds.length > 0 && wrong === undefined;

  async function run(): Promise<void> {
    setIsRunning(true);
    try {
      await save(values);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(isUnconfirmed(error) ? null : error);
    } finally {
      setIsRunning(false);
    }
  }
  return (
    <DialogForm
      submitLabel={token === undefined ? 'Create' : 'Save'}
      isEnabled={isComplete && !isRunning}
      isBusy={isRunning}
      onSubmit={() => void run()}
      onCancel={onClose}
      gap="md"
    >
      <TextInput
        label="Name"
        description="Purpose, for example the program that uses it."
        value={values.name}
        {...limitProps(values.name, apiTokenLimits.nameCharacters)}
        autoComplete="off"
        data-autofocus
        error={errorOf('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Expiry days={values.days} isNew={token === undefined} mayNeverExpire={mayNeverExpire} onChange={(days) => change({ days })} />
      <Permissions ids={values.permissionIds} error={errorOf('permission_ids')} onChange={(permissionIds) => change({ permissionIds })} />
      <TokenApps values={values} onChange={change} allLabel={allAppsLabel} error={errorOf('app_ids')} />
      <Textarea
        label="Networks"
        description="Allowed IP addresses or networks, one per line. Leave empty to allow all."
        placeholder="203.0.113.0/24"
        autosize
        minRows={2}
        maxRows={6}
        spellCheck={false}
        value={values.networks}
        error={errorOf('networks') ?? (wrong === undefined ? undefined : apiTokenMessages.networks)}
        onChange={(event) => change({ networks: event.currentTarget.value })}
      />
      {general !== null && (
        <Alert color="danger" variant="light" p="xs" role="alert" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {general}
        </Alert>
      )}
    </DialogForm>
  );
}

type PermissionsProps = {
  ids: TokenValues['permissionIds'];
  error: string | undefined;
  onChange: (ids: TokenValues['permissionIds']) => void;
};

function Permissions({ ids, error, onChange }: PermissionsProps) {
  const heldLabels = useSessionUser()?.permissions ?? [];
  return (
    <Input.Wrapper
      label="Permissions"
      labelElement="div"
      description="Limited to your own permissions. If you lose one, so does the token."
      error={error}
    >
      <Group gap="xs" mt={6}>
        {tokenPresets.map((preset) => (
          <Button
            key={preset.name}
            variant="default"
            size="compact-sm"
            disabled={presetIds(preset, heldLabels).length === 0}
            title={missingText(preset, heldLabels)}
            onClick={() => onChange(presetIds(preset, heldLabels))}
          >
            {preset.name}
          </Button>
        ))}
      </Group>
      <div className={classes['permissions']}>
        {permissionGroups(heldPermissions(heldLabels)).map((group) => (
          <PermissionGroup key={group.name} group={group} chosenIds={ids} onChange={onChange} isLocked={false} mayGrant={() => true} />
        ))}
      </div>
    </Input.Wrapper>
  );
}

/** Permissions that a preset lacks because the account does not hold them. */
function missingText(preset: Parameters<typeof missingOf>[0], heldLabels: readonly string[]): string | undefined {
  const missing = missingOf(preset, heldLabels);
  return missing.length === 0 ? undefined : `Your account does not have ${missing.join(', ')}.`;
}

function daysOf(text: string): TokenValues['days'] {
  return text === 'same' ? undefined : (apiTokenDays.find((count): count is TokenDays => String(count) === text) ?? null);
}

type ExpiryProps = {
  days: TokenValues['days'];
  isNew: boolean;
  mayNeverExpire: boolean;
  onChange: (days: TokenValues['days']) => void;
};

function Expiry({ days, isNew, mayNeverExpire, onChange }: ExpiryProps) {
  const options = [
    ...(isNew ? [] : [{ value: 'same', label: 'Unchanged' }]),
    ...apiTokenDays.map((count) => ({ value: String(count), label: `${count} days` })),
    ...(mayNeverExpire ? [{ value: 'never', label: 'Never' }] : []),
  ];
  return (
    <Input.Wrapper label="Expires after" labelElement="div">
      <SegmentedControl
        fullWidth
        mt={4}
        size="xs"
        aria-label="Expires after"
        data={options}
        value={days === undefined ? 'same' : days === null ? 'never' : String(days)}
        onChange={(text) => onChange(daysOf(text))}
      />
    </Input.Wrapper>
  );
}

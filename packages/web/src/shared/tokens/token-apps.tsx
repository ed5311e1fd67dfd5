import { Checkbox, Input, Stack } from '@mantine/core';
import { listPickApps } from '@switchyard/contract/pick-lists';
import { usePickApps } from '../accounts/use-pick-apps.ts';
import { isForbidden } from '../api/call-error.ts';
import { useHoldsAny } from '../session/use-session.ts';
import { PickMany } from '../ui/pick-list.tsx';
import type { TokenValues } from './token-values.ts';
import { RetryNote } from '../ui/retry.tsx';

type Props = {
  values: Pick<TokenValues, 'hasAllApps' | 'appIds'>;
  onChange: (changes: Partial<TokenValues>) => void;
  /** Label of the choice of all apps, e.g. `All apps that I see`; null if they cannot be given. */
  allLabel: string | null;
  error: string | undefined;
};

/** All apps, or chosen ones. Accounts that may not list apps can only give all of theirs. */
export function TokenApps({ values: { hasAllApps, appIds }, onChange, allLabel, error }: Props) {
  const mayList = useHoldsAny(...listPickApps.access.anyOf);
  const { data, error: failure, refetch } = usePickApps({ isEnabled: mayList });
  const apps = data?.data ?? [];
  // A permission that was removed meanwhile is reported in the answer.
  const cannotList = !mayList || isForbidden(failure);
  return (
    <Input.Wrapper label="Apps" labelElement="div" error={error}>
      <Stack gap="xs" mt={4}>
        {allLabel !== null && (
          <Checkbox
            size="sm"
            label={allLabel}
            description={cannotList ? 'Your account cannot list apps, so you cannot choose some of them.' : undefined}
            checked={hasAllApps}
            disabled={cannotList && hasAllApps}
            onChange={(event) => onChange({ hasAllApps: event.currentTarget.checked })}
          />
        )}
        {!hasAllApps && (
          <PickMany
            label="Chosen apps"
            options={apps.map(({ id, label }) => ({ value: String(id), name: label }))}
            value={appIds.map(String)}
            onChange={(ids) => onChange({ appIds: ids.map(Number) })}
            placeholder={data === undefined ? 'Loading...' : 'No apps'}
            width="100%"
            isDisabled={data === undefined}
          />
        )}
        {!hasAllApps && failure !== null && !cannotList && <RetryNote onRetry={refetch}>The apps could not be loaded.</RetryNote>}
      </Stack>
    </Input.Wrapper>
  );
}

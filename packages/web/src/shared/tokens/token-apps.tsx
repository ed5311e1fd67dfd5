import { Checkbox, Input, Stack } from '@mantine/core';
import { allApps, useMayPickApps } from '../accounts/pick-sources.ts';
import { PickMany } from '../ui/pick-list.tsx';
import type { TokenValues } from './token-values.ts';

type Props = {
  values: Pick<TokenValues, 'hasAllApps' | 'appIds'>;
  onChange: (changes: Partial<TokenValues>) => void;
  /** Label of the choice of all apps, e.g. `All apps that I see`; null if they cannot be given. */
  allLabel: string | null;
  error: string | undefined;
};

/** All apps, or chosen ones. Accounts that may not list apps can only give all of theirs. */
export function TokenApps({ values: { hasAllApps, appIds }, onChange, allLabel, error }: Props) {
  const cannotList = !useMayPickApps();
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
            options={cannotList ? [] : allApps}
            value={appIds.map(String)}
            onChange={(ids) => onChange({ appIds: ids.map(Number) })}
            placeholder="No apps"
            width="100%"
            isDisabled={cannotList}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}

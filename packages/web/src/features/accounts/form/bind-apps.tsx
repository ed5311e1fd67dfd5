import { ActionIcon } from '@mantine/core';
import { accountLabels } from '@switchyard/contract/account-texts';
import { IconX } from '@tabler/icons-react';
import { usePickApps } from '../../../shared/accounts/use-pick-apps.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { PickMany } from '../../../shared/ui/pick-list.tsx';
import classes from './account-form.module.css';
import type { AccountDraft } from './use-account-draft.ts';
import { RetryNote } from '../../../shared/ui/retry.tsx';

/** The apps that a new buyer may use. */
export function BindApps({ form }: { form: AccountDraft }) {
  const { data, error, refetch } = usePickApps();
  const { appIds } = form.values;
  const apps = data?.data ?? [];
  const message = form.errorOf('appIds');
  return (
    <>
      <PickMany
        label={accountLabels.bindApps}
        options={apps.map(({ id, label }) => ({ value: String(id), name: label }))}
        value={appIds.map(String)}
        onChange={(ids) => form.set({ appIds: ids.map(Number) })}
        placeholder={data === undefined ? 'Loading...' : 'No apps'}
        width="100%"
        isDisabled={data === undefined}
      />
      {error !== null && <RetryNote onRetry={refetch}>The apps could not be loaded.</RetryNote>}
      {appIds.length > 0 && (
        <ul className={classes['chosen']} aria-label="Chosen apps">
          {apps
            .filter(({ id }) => appIds.includes(id))
            .map(({ id, label }) => (
              <li key={id}>
                <span>{label}</span>
                <ActionIcon
                  variant="subtle"
                  color="neutral"
                  size="sm"
                  aria-label={`Leave out ${withMarks(label)}`}
                  onClick={() => form.set({ appIds: appIds.filter((other) => other !== id) })}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              </li>
            ))}
        </ul>
      )}
      {message !== undefined && (
        <p className={classes['error']} role="alert">
          {message}
        </p>
      )}
    </>
  );
}

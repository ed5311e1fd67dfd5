import { ActionIcon } from '@mantine/core';
import { accountLabels } from '@switchyard/contract/account-texts';
import { IconX } from '@tabler/icons-react';
import { allApps } from '../../../shared/accounts/pick-sources.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { usePickedRows } from '../../../shared/ui/option-source.ts';
import { PickMany } from '../../../shared/ui/pick-list.tsx';
import classes from './account-form.module.css';
import type { AccountDraft } from './use-account-draft.ts';

/** The apps that a new buyer may use. */
export function BindApps({ form }: { form: AccountDraft }) {
  const { appIds } = form.values;
  const apps = usePickedRows(allApps, appIds.map(String));
  const message = form.errorOf('appIds');
  return (
    <>
      <PickMany
        label={accountLabels.bindApps}
        options={allApps}
        value={appIds.map(String)}
        onChange={(ids) => form.set({ appIds: ids.map(Number) })}
        placeholder="No apps"
        width="100%"
      />
      {appIds.length > 0 && (
        <ul className={classes['chosen']} aria-label="Chosen apps">
          {appIds
            .flatMap((id) => apps.get(String(id)) ?? [])
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

import { ActionIcon } from '@mantine/core';
import { unlockTooltip } from '@switchyard/contract/app-form-texts';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { HoverTooltip } from '../../../shared/ui/hover-tooltip.tsx';
import { partLabels } from './app-fields.ts';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { TextField } from './text-field.tsx';
import type { AppFormState } from './use-app-form.ts';

/** Name, bundle, domain and user agent of an app (CONF-026). */
export function GeneralSection({ form }: { form: AppFormState }) {
  return (
    <FormSection title="General info" summary="What the app is called, and where its clients reach it." isLocked={form.isArchived}>
      <TextField form={form} path="name" label={partLabels.name} required />
      <LockedField form={form} path="bundle" placeholder="com.example.app" />
      <LockedField form={form} path="domain" placeholder="app.example.com" />
      <TextField form={form} path="whiteUserAgent" label={partLabels.whiteUserAgent} />
    </FormSection>
  );
}

type LockedProps = { form: AppFormState; path: 'bundle' | 'domain'; placeholder: string };

/** Bundle or domain: read-only once it is set, unless somebody with the permission unlocks it (CONF-036 to CONF-039, PERM-016, PERM-017). */
function LockedField({ form, path, placeholder }: LockedProps) {
  const [unlockedFor, setUnlockedFor] = useState<unknown>(null);
  const mayUnlock = useHoldsAny('manager_app_edit_domain_bundle');
  const label = partLabels[path];
  const isLocked = form.loaded[path] !== '' && unlockedFor !== form.origin;

  const unlock = (): void => {
    setUnlockedFor(form.origin);
    form.nodeOf(path)?.focus();
  };
  return (
    <TextField
      form={form}
      path={path}
      label={label}
      placeholder={placeholder}
      required
      readOnly={isLocked}
      data-locked={isLocked || undefined}
      description={isLocked && !mayUnlock ? 'Only accounts that may edit domain and bundle can change it.' : undefined}
      rightSection={
        isLocked && mayUnlock && !form.isArchived ? (
          <HoverTooltip label={unlockTooltip} position="left-center">
            <ActionIcon variant="subtle" color="neutral" size="sm" aria-label={`Edit ${label.toLowerCase()}`} onClick={unlock}>
              <IconPencil size={16} stroke={1.7} aria-hidden />
            </ActionIcon>
          </HoverTooltip>
        ) : undefined
      }
    />
  );
}

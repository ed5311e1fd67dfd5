import { ActionIcon, PasswordInput } from '@mantine/core';
import { appLabels, keyLabels, keysOfType, unlockTooltip, whiteUserAgentCharacters } from '@switchyard/contract/app-form-texts';
import { conversionTypes } from '@switchyard/contract/app-rules';
import { storedDomain, unicodeDomain } from '@switchyard/contract/host-name';
import { listVerticals, verticals } from '@switchyard/contract/apps';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, inBackground } from '../../../shared/api/call.ts';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { limitProps } from '../../../shared/form/limited.ts';
import { useNeededPermission } from '../../../shared/session/needed-permission.ts';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { HoverTooltip } from '../../../shared/ui/hover-tooltip.tsx';
import { VerticalPicture } from '../vertical-icon.tsx';
import { Choices } from './choices.tsx';
import { TextField } from './text-field.tsx';
import type { AppDraft } from './use-app-draft.ts';

/** Name, bundle, domain and user agent of an app. */
export function GeneralSection({ form }: { form: AppDraft }) {
  return (
    <FormSection title="General info" summary="What the app is called, and where its clients reach it." isLocked={form.isArchived}>
      <TextField form={form} path="name" label={appLabels.name} required />
      <LockedField form={form} path="bundle" placeholder="com.example.app" />
      <LockedField form={form} path="domain" placeholder="app.example.com" />
      <TextField
        form={form}
        path="whiteUserAgent"
        label={appLabels.whiteUserAgent}
        {...limitProps(form.values.whiteUserAgent, whiteUserAgentCharacters)}
      />
    </FormSection>
  );
}

/** The form of a domain that is not in its field: ASCII, as browsers send it, or Unicode, as people write it. */
function otherForm(domain: string): string | null {
  const unicode = unicodeDomain(domain);
  if (unicode === null) return null;
  return /^[ -~]*$/.test(domain) ? `Written as ${unicode}.` : `Stored as ${storedDomain(domain)}.`;
}

type LockedProps = { form: AppDraft; path: 'bundle' | 'domain'; placeholder: string };

/** Bundle or domain: read-only once it is saved, unless an account with the permission unlocks it. */
function LockedField({ form, path, placeholder }: LockedProps) {
  const [unlockedFor, setUnlockedFor] = useState<unknown>(null);
  const mayUnlock = useHoldsAny('manager_app_edit_domain_bundle');
  const needed = useNeededPermission('manager_app_edit_domain_bundle');
  const label = appLabels[path];
  const isLocked = form.loaded[path] !== '' && unlockedFor !== form.origin;

  const descriptions = [
    path === 'domain' ? otherForm(form.values.domain) : null,
    isLocked && !mayUnlock ? `Only accounts that may edit domain and bundle can change it. ${needed}`.trim() : null,
  ];

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
      description={descriptions.filter((text) => text !== null).join(' ') || undefined}
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

/** The verticals with the server's names; until they are loaded, with the default names. */
function useVerticals() {
  const { data } = useQuery({
    queryKey: ['verticals'],
    queryFn: ({ signal }) => call(listVerticals, { signal, ...inBackground }),
    staleTime: Infinity,
  });
  return verticals.map(({ id, name }) => ({ id, name: data?.data.find((vertical) => vertical.id === id)?.name ?? name }));
}

/** The category of the app. */
export function VerticalSection({ form }: { form: AppDraft }) {
  const options = useVerticals().map(({ id, name }) => ({ value: id, name, icon: <VerticalPicture id={id} /> }));
  return (
    <FormSection title="Vertical" summary="App category." isLocked={form.isArchived}>
      <Choices form={form} path="vertical" options={options} onChange={(value) => form.pick('vertical', value)} isRequired />
    </FormSection>
  );
}

const typeNames = { mmp_appsflyer: 'AppsFlyer', google_analytics: 'Google Analytics' } as const;
const types = conversionTypes.map((value) => ({ value, name: typeNames[value] }));

/** Where conversions are reported and with which keys; only the keys of the chosen type are shown. */
export function KeysSection({ form }: { form: AppDraft }) {
  const type = form.values.conversion_api_type;

  function choose(next: typeof type): void {
    // An invalid key that is hidden could not be corrected and would block saving.
    for (const key of keysOfType[type]) {
      if (form.errorOf(`keys.${key}`) !== undefined || form.isInvalid(`keys.${key}`)) form.pick(`keys.${key}`, form.loaded.keys[key]);
    }
    form.pick('conversion_api_type', next);
  }
  return (
    <FormSection
      title="Conversion keys"
      summary="The service that conversions are reported to, and the keys it asks for."
      isLocked={form.isArchived}
    >
      <Choices form={form} path="conversion_api_type" options={types} onChange={choose} />
      {keysOfType[type].map((key) =>
        key === 'apiSecret' ? (
          <PasswordInput
            key={key}
            label={keyLabels[key]}
            {...form.text(`keys.${key}`)}
            name={key}
            autoComplete="new-password"
            spellCheck={false}
            visibilityToggleFocusable
          />
        ) : (
          <TextField key={key} form={form} path={`keys.${key}`} label={keyLabels[key]} />
        ),
      )}
    </FormSection>
  );
}

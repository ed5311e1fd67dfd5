import { Button, TextInput } from '@mantine/core';
import { serverConfirms, serverFieldCharacters } from '@switchyard/contract/server-rules';
import type { TrafficServer } from '@switchyard/contract/traffic-servers';
import { IconBellOff } from '@tabler/icons-react';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { textControl } from '../../shared/entities/entity-fields.tsx';
import { CreatePage, EditPage, type FormFields } from '../../shared/entities/entity-form.tsx';
import { NameField } from '../../shared/form/save-bar-form.tsx';
import { HistoryLink } from '../../shared/form/entity-page.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { Writes } from '../../shared/ui/read-only.tsx';
import { SecretFields } from './secret-fields.tsx';
import { allAppsOnly, serverForm, useServesAllApps, type ServerValues } from './server-model.ts';

const confirm = () => ({ title: serverConfirms.save.title, lines: [serverConfirms.save.text] });

/** Creates a server and goes back one page. */
export function CreateServerPage() {
  return (
    <CreatePage form={serverForm} confirm={confirm} denied={useServesAllApps() ? null : allAppsOnly}>
      {(form) => <Fields {...form} />}
    </CreatePage>
  );
}

/** Edits the server that the address names and goes back one page. */
export function EditServerPage() {
  return (
    <EditPage form={serverForm} confirm={confirm} renderActions={(server) => <ServerActions id={server.id} />}>
      {(form) => <Fields {...form} />}
    </EditPage>
  );
}

function ServerActions({ id }: { id: number }) {
  const maySilence = useMayChangeAlerts();
  return (
    <>
      {maySilence && (
        <Writes>
          <Button
            component={AppLink}
            href={paths.incidents({ startTabName: 'Silences', addServer: id })}
            size="compact-md"
            variant="default"
            leftSection={<IconBellOff size={16} aria-hidden />}
          >
            Silence
          </Button>
        </Writes>
      )}
      <HistoryLink href={paths.serverHistory(id)} />
    </>
  );
}

function Fields({ entity: server, field }: FormFields<TrafficServer, ServerValues>) {
  const isLocked = !useServesAllApps();
  const lockedProps = isLocked ? { readOnly: true, description: allAppsOnly } : {};
  return (
    <>
      <FormSection title="Server" summary="Name and address.">
        <NameField maxLength={serverFieldCharacters.name} {...field('name')} spellCheck={false} />
        <NameField
          type="url"
          maxLength={serverFieldCharacters.url}
          placeholder="https://edge-fra-1.example"
          {...field('url')}
          spellCheck={false}
          {...lockedProps}
        />
        <TextInput maxLength={serverFieldCharacters.region} {...textControl(field('region'))} />
        <TextInput maxLength={45} {...textControl(field('ip'))} {...lockedProps} />
      </FormSection>
      <SecretFields isLocked={isLocked} server={server} field={field} />
    </>
  );
}

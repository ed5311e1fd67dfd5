import { TextInput } from '@mantine/core';
import { serverConfirms, serverFieldCharacters } from '@switchyard/contract/server-rules';
import type { TrafficServer } from '@switchyard/contract/traffic-servers';
import { IconLock } from '@tabler/icons-react';
import { EntityForm } from '../../shared/form/entity-form.tsx';
import { EntityPage, HistoryLink, LoadedEntity } from '../../shared/form/entity-page.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import formClasses from '../../shared/form/form.module.css';
import { useDraft } from '../../shared/form/use-draft.ts';
import { useEntityEdit } from '../../shared/form/use-entity-edit.ts';
import { useGoBack } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { SecretFields } from './secret-fields.tsx';
import {
  allAppsOnly,
  cacheServer,
  refreshServers,
  serverModel,
  serverQuery,
  storeServer,
  useSecretDates,
  useServesAllApps,
  type ServerValues,
} from './server-model.ts';

const list = { listTitle: 'Servers', listPath: paths.servers() };

/** Creates a server and goes back one page. */
export function CreateServerPage() {
  const isAllowed = useServesAllApps();
  return (
    <EntityPage {...list}>
      {isAllowed ? (
        <ServerForm />
      ) : (
        <StatePanel icon={IconLock} title="You cannot create servers">
          {allAppsOnly}
        </StatePanel>
      )}
    </EntityPage>
  );
}

/** Edits the server that the address names and goes back one page. */
export function EditServerPage() {
  return (
    <LoadedEntity
      noun={serverModel.noun}
      {...list}
      renderActions={({ id }) => <HistoryLink href={paths.serverHistory(id)} />}
      query={serverQuery}
    >
      {(server) => <ServerForm server={server} />}
    </LoadedEntity>
  );
}

/** The fields of a server; a new one is created without `server`. */
function ServerForm({ server }: { server?: TrafficServer }) {
  const goBack = useGoBack();
  const draft = useDraft(serverModel, server);
  const edit = useEntityEdit(serverModel, draft, {
    entity: server,
    save: storeServer,
    confirm: () => ({ title: serverConfirms.save.title, lines: [serverConfirms.save.text] }),
    onReplaced: cacheServer,
    onSaved: ({ name }) => {
      notify({ type: 'success', message: `Server "${name}" ${server === undefined ? 'created' : 'saved'}` });
      void refreshServers();
      goBack(list.listPath);
    },
  });
  const dates = useSecretDates(server?.id);
  const isLocked = !useServesAllApps();
  const lockedProps = isLocked ? { readOnly: true, description: allAppsOnly } : {};

  const field = (name: keyof ServerValues) => ({
    name,
    autoComplete: 'off',
    spellCheck: false,
    value: draft.values[name],
    error: draft.errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => draft.set({ [name]: event.currentTarget.value }),
  });
  const requiredProps = { required: true, withAsterisk: false, labelProps: { className: formClasses['required'] } };
  const [label, saveLabel] = server === undefined ? ['New server', 'Create'] : [`Server ${server.name}`, 'Save'];
  return (
    <EntityForm edit={edit} label={label} saveLabel={saveLabel}>
      <FormSection title="Server" summary="What it is called and where the console reaches it.">
        <TextInput label="Name" {...requiredProps} maxLength={serverFieldCharacters.name} {...field('name')} />
        <TextInput
          label="Url"
          {...requiredProps}
          type="url"
          maxLength={serverFieldCharacters.url}
          placeholder="https://edge-fra-1.example"
          {...field('url')}
          {...lockedProps}
        />
        <TextInput label="Region" maxLength={serverFieldCharacters.region} {...field('region')} />
        <TextInput label="IP" maxLength={45} {...field('ip')} {...lockedProps} />
      </FormSection>
      <SecretFields isLocked={isLocked} server={draft.origin} dates={dates} field={field} onToken={(token) => draft.set({ token })} />
    </EntityForm>
  );
}

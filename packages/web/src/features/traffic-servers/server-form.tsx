import { TextInput } from '@mantine/core';
import { serverConfirms, serverFieldCharacters } from '@switchyard/contract/server-rules';
import type { TrafficServer } from '@switchyard/contract/traffic-servers';
import { FormSection } from '../../shared/form/form-section.tsx';
import formClasses from '../../shared/form/form.module.css';
import { PageForm } from '../../shared/form/page-form.tsx';
import { SaveBar } from '../../shared/form/save-bar.tsx';
import { useLoadedForm } from '../../shared/form/use-loaded-form.ts';
import { useSaving } from '../../shared/form/use-saving.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { SecretFields } from './secret-fields.tsx';
import { useSecretDates } from './server-query.ts';
import { allAppsOnly, useServesAllApps } from './use-serves-all-apps.ts';
import { changedFields, fieldOf, isComplete, valuesOf, type ServerValues } from './server-values.ts';

type Props = {
  /** The server to edit; a new one is created when it is left out. */
  server?: TrafficServer;
  /** Saves and gives the server as saved; a rejected CallError has its fields shown in the form. */
  save: (values: ServerValues) => Promise<TrafficServer>;
  /** Hears of the saved server after the form has let go of it, so that it may go elsewhere. */
  onSaved: (server: TrafficServer) => void;
};

/** The fields of a server and the bar that saves them after a prompt (SRV-014 to SRV-016, SRV-019 to SRV-022). */
export function ServerForm({ server, save, onSaved }: Props) {
  const form = useLoadedForm(server, { valuesOf, changedFields, isComplete, fieldOf });
  const saving = useSaving(form, { onSaved });
  const dates = useSecretDates(server?.id);
  const isLocked = !useServesAllApps();
  const locked = isLocked ? { readOnly: true, description: allAppsOnly } : {};

  const submit = (): void => {
    if (!form.canSave) return;
    const { title, text } = serverConfirms.save;
    askConfirm({ title, lines: [text], action: () => saving.store(() => save(form.values)) });
  };
  const field = (name: keyof ServerValues) => ({
    name,
    autoComplete: 'off',
    spellCheck: false,
    value: form.values[name],
    error: form.errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => form.set({ [name]: event.currentTarget.value }),
  });
  const required = { required: true, withAsterisk: false, labelProps: { className: formClasses['required'] } };
  return (
    <PageForm label={server === undefined ? 'New server' : `Server ${server.name}`} takeElement={saving.takeElement} onSubmit={submit}>
      <FormSection title="Server" summary="What it is called and where the console reaches it.">
        <TextInput label="Name" {...required} maxLength={serverFieldCharacters.name} {...field('name')} />
        <TextInput
          label="Url"
          {...required}
          type="url"
          maxLength={serverFieldCharacters.url}
          placeholder="https://edge-fra-1.example"
          {...field('url')}
          {...locked}
        />
        <TextInput label="Region" maxLength={serverFieldCharacters.region} {...field('region')} />
        <TextInput label="IP" maxLength={45} {...field('ip')} {...locked} />
      </FormSection>
      <SecretFields isLocked={isLocked} server={form.origin} dates={dates} field={field} onToken={(token) => form.set({ token })} />
      <SaveBar
        changed={form.changed}
        errorCount={form.errorCount}
        strays={saving.strays}
        missing={missing(form.values)}
        save={{ isEnabled: form.canSave }}
        saveLabel={server === undefined ? 'Create' : 'Save'}
        onDiscard={saving.discard}
      />
    </PageForm>
  );
}

/** What the form still lacks. */
function missing({ name, url }: ServerValues): string[] {
  return [...(name.trim() === '' ? ['Name'] : []), ...(url.trim() === '' ? ['Url'] : [])];
}

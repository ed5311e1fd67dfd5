import { TextInput } from '@mantine/core';
import { serverConfirms, serverFieldCharacters } from '@switchyard/contract/server-rules';
import type { TrafficServer } from '@switchyard/contract/traffic-servers';
import { useRef, useState, type FormEvent } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { focusFirstWrong } from '../../shared/form/first-wrong.ts';
import { FormSection } from '../../shared/form/form-section.tsx';
import formClasses from '../../shared/form/form.module.css';
import { SaveBar } from '../../shared/form/save-bar.tsx';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { useUnsavedWork } from '../../shared/use-unsaved-work.ts';
import { SecretFields } from './secret-fields.tsx';
import { useSecretDates } from './server-query.ts';
import type { ServerValues } from './server-values.ts';
import { useServerForm } from './use-server-form.ts';

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
  const form = useServerForm(server);
  const dates = useSecretDates(server?.id);
  const [strays, setStrays] = useState<readonly string[]>([]);
  const letGo = useUnsavedWork(form.changed.length > 0);
  const element = useRef<HTMLFormElement>(null);

  async function saveNow(): Promise<void> {
    try {
      const saved = await save(form.values);
      setStrays([]);
      letGo();
      form.begin(saved);
      onSaved(saved);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setStrays(form.refuse(error.fields));
      if (Object.keys(error.fields).length > 0) focusFirstWrong(element.current);
    }
  }

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (form.canSave) askConfirm({ title: serverConfirms.save.title, lines: [serverConfirms.save.text], action: saveNow });
  };
  const field = (name: keyof ServerValues) => ({
    name,
    autoComplete: 'off',
    spellCheck: false,
    value: form.values[name],
    error: form.errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => form.set(name, event.currentTarget.value),
  });
  const required = { required: true, withAsterisk: false, labelProps: { className: formClasses['required'] } };
  return (
    <form
      ref={element}
      className={formClasses['form']}
      noValidate
      onSubmit={onSubmit}
      aria-label={server === undefined ? 'New server' : `Server ${server.name}`}
    >
      <FormSection title="Server" summary="What it is called and where the console reaches it.">
        <TextInput label="Name" {...required} maxLength={serverFieldCharacters.name} {...field('name')} />
        <TextInput
          label="Url"
          {...required}
          type="url"
          maxLength={serverFieldCharacters.url}
          placeholder="https://edge-fra-1.example"
          {...field('url')}
        />
        <TextInput label="Region" maxLength={serverFieldCharacters.region} {...field('region')} />
        <TextInput label="IP" maxLength={45} {...field('ip')} />
      </FormSection>
      <SecretFields server={form.loadedServer} dates={dates} field={field} onToken={(token) => form.set('token', token)} />
      <SaveBar
        changed={form.changed}
        errorCount={form.errorCount}
        strays={strays}
        notice={missing(form.values)}
        save={{ isEnabled: form.canSave }}
        saveLabel={server === undefined ? 'Create' : 'Save'}
        onDiscard={() => {
          setStrays([]);
          form.begin(form.loadedServer);
        }}
      />
    </form>
  );
}

/** What the form still lacks, in words. */
function missing({ name, url }: ServerValues): string | undefined {
  if (name.trim() === '') return url.trim() === '' ? 'Name and url are needed' : 'A name is needed';
  return url.trim() === '' ? 'A url is needed' : undefined;
}

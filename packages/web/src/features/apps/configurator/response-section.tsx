import { NativeSelect, Textarea } from '@mantine/core';
import { appLabels, cloakIdLabels } from '@switchyard/contract/app-form-texts';
import { proxyAddress, proxyCacheSeconds, responseCodes, responseEntries, responseTypes, staticPath } from '@switchyard/contract/app-rules';
import { appModes, cloakModes, responseModes } from '@switchyard/contract/apps';
import { FormSection } from '../../../shared/form/form-section.tsx';
import classes from './app-form.module.css';
import { durationText, entryLabels } from './app-model.ts';
import { Choices } from './choices.tsx';
import { TextField } from './text-field.tsx';
import type { AppDraft } from './use-app-draft.ts';

const appModeNames = { default: 'Default', push_only: 'Push only', one_request_url: 'One request URL' } as const;
const responseModeNames = { white: 'White', custom: 'Custom' } as const;
const cloakModeNames = { default: 'Default', none: 'None', custom: 'Custom (Adspect)', magic_checker: 'MagicChecker' } as const;

const appModeChoices = appModes.map((value) => ({ value, name: appModeNames[value] }));
const responseModeChoices = responseModes.map((value) => ({ value, name: responseModeNames[value] }));
const cloakModeChoices = cloakModes.map((value) => ({ value, name: cloakModeNames[value] }));

/** How the app responds to its clients. All fields are shown in every mode; the cloak ID only if the mode has one. */
export function ResponseSection({ form }: { form: AppDraft }) {
  const { values } = form;
  const cloakIdLabel = cloakIdLabels[values.cloak_mode];
  return (
    <FormSection
      title="Response and app mode"
      summary="What the app returns to its clients, and how it is cloaked."
      isLocked={form.isArchived}
    >
      <Choices form={form} path="app_mode" options={appModeChoices} onChange={(value) => form.pick('app_mode', value)} />
      <Choices form={form} path="response_mode" options={responseModeChoices} onChange={(value) => form.pick('response_mode', value)} />
      <div className={classes['pair']}>
        <TextField
          form={form}
          path="proxy_api_url"
          label={appLabels.proxy_api_url}
          onBlur={() => form.normalize('proxy_api_url', proxyAddress(values.proxy_api_url) ?? '')}
        />
        <NativeSelect
          label={appLabels.proxy_cache_seconds}
          data-path="proxy_cache_seconds"
          name="proxy_cache_seconds"
          value={String(values.proxy_cache_seconds)}
          error={form.errorOf('proxy_cache_seconds')}
          data={proxyCacheSeconds.map((seconds) => ({ value: String(seconds), label: durationText(seconds) }))}
          onChange={(event) => {
            const seconds = proxyCacheSeconds.find((option) => String(option) === event.currentTarget.value);
            if (seconds !== undefined) form.pick('proxy_cache_seconds', seconds);
          }}
        />
      </div>
      <TextField
        form={form}
        path="static_response_path"
        label={appLabels.static_response_path}
        placeholder="/"
        onBlur={() => form.normalize('static_response_path', staticPath(values.static_response_path))}
      />
      {responseEntries.map((entry) => (
        <ResponsePartFields key={entry} form={form} entry={entry} />
      ))}
      <Choices
        form={form}
        path="cloak_mode"
        options={cloakModeChoices}
        onChange={(mode) => {
          form.pick('cloak_mode', mode);
          form.validateNow('adspect_cloak');
        }}
      />
      {cloakIdLabel !== null && <TextField form={form} path="adspect_cloak" label={cloakIdLabel} required />}
    </FormSection>
  );
}

type PartProps = { form: AppDraft; entry: (typeof responseEntries)[number] };

/** The response to one kind of request: content type, HTTP code and text. */
function ResponsePartFields({ form, entry }: PartProps) {
  const path = `response_message.${entry}` as const;
  const { type, code } = form.values.response_message[entry];
  return (
    <fieldset className={classes['response']}>
      <legend className={classes['legend']}>{entryLabels[entry]}</legend>
      <div className={classes['pair']}>
        <NativeSelect
          label="Type"
          data-path={`${path}.type`}
          name={`${path}.type`}
          value={type}
          error={form.errorOf(`${path}.type`)}
          data={responseTypes.map((responseType) => ({ value: responseType, label: responseType }))}
          onChange={(event) => {
            const choice = responseTypes.find((responseType) => responseType === event.currentTarget.value);
            if (choice !== undefined) form.pick(`${path}.type`, choice);
          }}
        />
        <NativeSelect
          label="Code"
          data-path={`${path}.code`}
          name={`${path}.code`}
          value={String(code)}
          error={form.errorOf(`${path}.code`)}
          data={responseCodes.map((responseCode) => ({ value: String(responseCode), label: String(responseCode) }))}
          onChange={(event) => {
            const choice = responseCodes.find((responseCode) => String(responseCode) === event.currentTarget.value);
            if (choice === undefined) return;
            form.pick(`${path}.code`, choice);
            form.validateNow(`${path}.response`);
          }}
        />
      </div>
      <Textarea
        label="Response"
        {...form.text(`${path}.response`)}
        name={`${path}.response`}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        classNames={{ input: classes['code'] ?? '' }}
      />
    </fieldset>
  );
}

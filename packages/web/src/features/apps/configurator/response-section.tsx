import { NativeSelect } from '@mantine/core';
import { cloakIdLabels } from '@switchyard/contract/app-form-texts';
import { proxyAddress, proxyCacheSeconds, responseEntries, staticPath } from '@switchyard/contract/app-rules';
import { appModes, cloakModes, responseModes } from '@switchyard/contract/apps';
import { partLabels } from './app-fields.ts';
import classes from './app-form.module.css';
import { Choices } from './choices.tsx';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { ResponsePartFields } from './response-part-fields.tsx';
import { spanText } from './span-text.ts';
import { TextField } from './text-field.tsx';
import type { AppFormState } from './use-app-form.ts';

const appModeNames = { default: 'Default', push_only: 'Push only', one_request_url: 'One request URL' } as const;
const responseModeNames = { white: 'White', custom: 'Custom' } as const;
const cloakModeNames = { default: 'Default', none: 'None', custom: 'Custom (Adspect)', magic_checker: 'MagicChecker' } as const;

const appModeChoices = appModes.map((value) => ({ value, name: appModeNames[value] }));
const responseModeChoices = responseModes.map((value) => ({ value, name: responseModeNames[value] }));
const cloakModeChoices = cloakModes.map((value) => ({ value, name: cloakModeNames[value] }));

/** How the app answers its clients; every field is in view in every mode, the cloak id where a mode has one (CONF-033, AMB-099, AMB-100). */
export function ResponseSection({ form }: { form: AppFormState }) {
  const { values } = form;
  const cloakIdLabel = cloakIdLabels[values.cloak_mode];
  return (
    <FormSection
      title="Response and app mode"
      summary="What the app answers to its clients, and how it is cloaked."
      isLocked={form.isArchived}
    >
      <Choices
        label={partLabels.app_mode}
        path="app_mode"
        options={appModeChoices}
        value={values.app_mode}
        onChange={(mode) => form.pick('app_mode', mode)}
        error={form.errorOf('app_mode')}
      />
      <Choices
        label={partLabels.response_mode}
        path="response_mode"
        options={responseModeChoices}
        value={values.response_mode}
        onChange={(mode) => form.pick('response_mode', mode)}
        error={form.errorOf('response_mode')}
      />
      <div className={classes['pair']}>
        <TextField
          form={form}
          path="proxy_api_url"
          label={partLabels.proxy_api_url}
          onBlur={() => form.settle('proxy_api_url', proxyAddress(values.proxy_api_url) ?? '')}
        />
        <NativeSelect
          label={partLabels.proxy_cache_seconds}
          data-path="proxy_cache_seconds"
          name="proxy_cache_seconds"
          value={String(values.proxy_cache_seconds)}
          error={form.errorOf('proxy_cache_seconds')}
          data={proxyCacheSeconds.map((seconds) => ({ value: String(seconds), label: spanText(seconds) }))}
          onChange={(event) => {
            const seconds = proxyCacheSeconds.find((known) => String(known) === event.currentTarget.value);
            if (seconds !== undefined) form.pick('proxy_cache_seconds', seconds);
          }}
        />
      </div>
      <TextField
        form={form}
        path="static_response_path"
        label={partLabels.static_response_path}
        placeholder="/"
        onBlur={() => form.settle('static_response_path', staticPath(values.static_response_path))}
      />
      {responseEntries.map((entry) => (
        <ResponsePartFields key={entry} form={form} entry={entry} />
      ))}
      <Choices
        label={partLabels.cloak_mode}
        path="cloak_mode"
        options={cloakModeChoices}
        value={values.cloak_mode}
        onChange={(mode) => {
          form.pick('cloak_mode', mode);
          form.judgeNow('adspect_cloak');
        }}
        error={form.errorOf('cloak_mode')}
      />
      {cloakIdLabel !== null && <TextField form={form} path="adspect_cloak" label={cloakIdLabel} required />}
    </FormSection>
  );
}

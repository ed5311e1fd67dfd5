import { keyLabels } from '@switchyard/contract/app-form-texts';
import { responseEntries } from '@switchyard/contract/app-rules';
import { verticals } from '@switchyard/contract/apps';
import { differencesOf, type ComparedField } from '../../../../shared/form/conflict/differences.ts';
import type { ThreeStates } from '../../../../shared/form/conflict/three-states.ts';
import { partLabels } from '../../configurator/app-fields.ts';
import type { AppFormValues } from '../../configurator/app-form-values.ts';

const hidden = (value: string): string => (value === '' ? '' : '••••••••');

/** The fields in the order of the form; `userName` names a buyer. */
function fieldsOf(userName: (id: number) => string): readonly ComparedField<AppFormValues>[] {
  return [
    { label: partLabels.name, of: ({ name }) => name },
    { label: partLabels.bundle, of: ({ bundle }) => bundle },
    { label: partLabels.domain, of: ({ domain }) => domain },
    { label: partLabels.whiteUserAgent, of: ({ whiteUserAgent }) => whiteUserAgent },
    {
      label: partLabels.vertical,
      of: ({ vertical }) => vertical,
      text: ({ vertical }) => verticals.find(({ id }) => id === vertical)?.name ?? vertical,
    },
    { label: partLabels.conversion_api_type, of: (values) => values.conversion_api_type },
    { label: keyLabels.createApfDevKey, of: ({ keys }) => keys.createApfDevKey },
    { label: keyLabels.firebaseAppId, of: ({ keys }) => keys.firebaseAppId },
    { label: keyLabels.apiSecret, of: ({ keys }) => keys.apiSecret, text: ({ keys }) => hidden(keys.apiSecret) },
    { label: partLabels.userIds, of: ({ userIds }) => userIds, text: ({ userIds }) => userIds.map(userName).join(', ') },
    { label: partLabels.app_mode, of: (values) => values.app_mode },
    { label: partLabels.response_mode, of: (values) => values.response_mode },
    { label: partLabels.proxy_api_url, of: (values) => values.proxy_api_url },
    { label: partLabels.proxy_cache_seconds, of: (values) => values.proxy_cache_seconds },
    { label: partLabels.static_response_path, of: (values) => values.static_response_path },
    ...responseEntries.map((entry) => ({
      label: `${partLabels.response_message}: ${entry}`,
      of: ({ response_message: message }: AppFormValues) => message[entry],
      text: ({ response_message: { [entry]: answer } }: AppFormValues) => `${answer.type} ${answer.code} ${answer.response}`.trim(),
    })),
    { label: partLabels.cloak_mode, of: (values) => values.cloak_mode },
    { label: partLabels.adspect_cloak, of: (values) => values.adspect_cloak },
  ];
}

/** What somebody else changed since the form was loaded, and the names of the fields that only I changed. */
export function differences(states: ThreeStates<AppFormValues>, userName: (id: number) => string) {
  return differencesOf(states, fieldsOf(userName));
}

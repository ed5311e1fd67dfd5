import { PasswordInput } from '@mantine/core';
import { keyLabels, keysOfType } from '@switchyard/contract/app-form-texts';
import { conversionTypes } from '@switchyard/contract/app-rules';
import { partLabels } from './app-fields.ts';
import { Choices } from './choices.tsx';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { TextField } from './text-field.tsx';
import type { AppFormState } from './use-app-form.ts';

const typeNames = { mmp_appsflyer: 'AppsFlyer', google_analytics: 'Google Analytics' } as const;
const types = conversionTypes.map((value) => ({ value, name: typeNames[value] }));

/** Where conversions are reported and with which keys; only those of the chosen type are shown (CONF-030, CONF-040 to CONF-044). */
export function KeysSection({ form }: { form: AppFormState }) {
  const type = form.values.conversion_api_type;

  function choose(next: typeof type): void {
    // A wrong key that is no longer in view could not be mended, and would stand in the way of saving.
    for (const key of keysOfType[type]) {
      if (form.errorOf(`keys.${key}`) !== undefined || form.isBroken(`keys.${key}`)) form.pick(`keys.${key}`, form.loaded.keys[key]);
    }
    form.pick('conversion_api_type', next);
  }
  return (
    <FormSection
      title="Conversion keys"
      summary="The service that conversions are reported to, and the keys it asks for."
      isLocked={form.isArchived}
    >
      <Choices
        label={partLabels.conversion_api_type}
        path="conversion_api_type"
        options={types}
        value={type}
        onChange={choose}
        error={form.errorOf('conversion_api_type')}
      />
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

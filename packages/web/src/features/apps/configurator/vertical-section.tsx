import { listVerticals, verticals } from '@switchyard/contract/apps';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/api/call.ts';
import { VerticalPicture } from '../../../shared/traffic/vertical-icon.tsx';
import { partLabels } from './app-fields.ts';
import { Choices } from './choices.tsx';
import { FormSection } from '../../../shared/form/form-section.tsx';
import type { AppFormState } from './use-app-form.ts';

/** The verticals with the server's names; without its answer those of the specification (AMB-092). */
function useVerticals() {
  const { data } = useQuery({
    queryKey: ['verticals'],
    queryFn: ({ signal }) => call(listVerticals, { signal, isSilent: true, showsFailureItself: (status) => status !== 401 }),
    staleTime: Infinity,
  });
  return verticals.map(({ id, name }) => ({ id, name: data?.data.find((named) => named.id === id)?.name ?? name }));
}

/** What the app is about (CONF-028, CONF-029). */
export function VerticalSection({ form }: { form: AppFormState }) {
  const options = useVerticals().map(({ id, name }) => ({ value: id, name, icon: <VerticalPicture id={id} /> }));
  return (
    <FormSection title="Vertical" summary="App category." isLocked={form.isArchived}>
      <Choices
        label={partLabels.vertical}
        path="vertical"
        options={options}
        value={form.values.vertical}
        onChange={(vertical) => form.pick('vertical', vertical)}
        isRequired
        error={form.errorOf('vertical')}
      />
    </FormSection>
  );
}

import { saveApp, type FullApp } from '@switchyard/contract/app-form';
import { call } from '../../../../shared/api/call.ts';
import { ConflictResolver } from '../../../../shared/form/conflict/conflict-resolver.tsx';
import { toBody, valuesOf } from '../../configurator/app-form-values.ts';
import { reloadApp } from '../app-query.ts';
import { currentApp, type AppConflict } from './conflict.ts';
import { differences } from './differences.ts';
import { mergeValues } from './merge-values.ts';

type Props = {
  conflict: AppConflict | null;
  onClose: () => void;
  /** Their app is taken, mine thrown away. */
  onLoad: (app: FullApp) => void;
  onSaved: (app: FullApp) => void;
  /** Somebody was faster once more. */
  onConflict: (conflict: AppConflict) => void;
};

const statesOf = ({ loaded, current, values }: AppConflict) => ({ loaded: valuesOf(loaded), theirs: valuesOf(current), mine: values });

function describe(conflict: AppConflict) {
  const names = new Map([...conflict.loaded.buyers, ...conflict.current.buyers].map(({ id, name }) => [id, name]));
  return differences(statesOf(conflict), (id) => names.get(id) ?? `#${id}`);
}

async function saveMine(conflict: AppConflict): Promise<FullApp> {
  const { id, version } = conflict.current;
  const { data } = await call(saveApp, {
    params: { id },
    body: toBody(mergeValues(statesOf(conflict))),
    ifMatch: version,
    showsFailureItself: (status) => status === 412,
  });
  return data;
}

/** Lets the reader decide a conflict over an app. */
export function AppConflictResolver({ conflict, ...rest }: Props) {
  return (
    <ConflictResolver
      {...rest}
      noun="app"
      conflict={conflict}
      differences={describe}
      save={saveMine}
      currentOf={currentApp}
      onFailed={() => conflict !== null && void reloadApp(conflict.current.id)}
    />
  );
}

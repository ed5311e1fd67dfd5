import { auditActionNames, auditEntityNames, auditViaKinds, type AuditQuery } from '@switchyard/contract/audit';
import { dayFilters } from '../../shared/listing/day-filters.tsx';
import { FilterSwitch, manyFilter, searchFilter, textFilter } from '../../shared/listing/filter-fields.tsx';
import { chipsOfMany, type Filters } from '../../shared/listing/filter.ts';
import { usePromptValue } from '../../shared/listing/use-prompt-value.ts';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { Dropdown, PickMany } from '../../shared/ui/pick-list.tsx';
import type { PickOption } from '../../shared/ui/pick-options.tsx';
import { actionWord, actionsWithoutSignIns, entityName, hidesSignIns, viaNames } from './audit-words.ts';

const actions = auditActionNames.map((action) => ({ value: action, name: actionWord(action).name }));
const viaKinds = auditViaKinds.map((kind) => ({ value: kind, name: viaNames[kind] }));
const entities = auditEntityNames.map((entity) => ({ value: entity, name: entityName(entity) }));

/** Filters of the activity: a part of a name, who, what was done, to what, and the days. `actors` are the accounts to pick from. */
export function activityFilters(actors: readonly PickOption<string>[], offset: string): Filters<AuditQuery> {
  return {
    search: searchFilter({ placeholder: 'Name or email' }),
    actor: {
      field: ({ value, onChange }) => (
        <Dropdown
          label="Who"
          width={112}
          placeholder="Anybody"
          options={actors}
          value={value === undefined ? undefined : String(value)}
          onChange={(id) => onChange(id === undefined ? undefined : Number(id))}
          isClearable
        />
      ),
      chips: (id) => [{ name: 'Who', value: actors.find(({ value }) => value === String(id))?.name ?? `#${id}` }],
    },
    action: {
      field: ({ value, onChange }) => (
        <PickMany
          label="Action"
          width={92}
          options={actions}
          value={hidesSignIns(value) ? [] : (value ?? [])}
          onChange={(pickedActions) => onChange(pickedActions.length === 0 ? undefined : pickedActions)}
        />
      ),
      chips: (pickedActions) =>
        hidesSignIns(pickedActions)
          ? [{ name: 'Sign-ins', value: 'Hidden' }]
          : chipsOfMany('Action', pickedActions, (action) => actionWord(action).name),
    },
    entity: manyFilter({ label: 'What', width: 92, options: entities }),
    entityId: textFilter({ label: 'Id', placeholder: 'Exact id', width: 80, maxLength: 255 }),
    viaId: { chips: (id) => [{ name: 'Through', value: `#${id}` }] },
    near: { chips: (id) => [{ name: 'Near entry', value: id }] },
    ...dayFilters(offset),
    via: manyFilter({ label: 'Through', width: 96, options: viaKinds }),
  };
}

/** Leaves out signing in and out, which is a filter of actions. */
export function HideSignIns({ draft: { values, set } }: { draft: FilterDraft<AuditQuery> }) {
  const [isOn, switchOn] = usePromptValue(hidesSignIns(values.action), (next) => set({ action: next ? actionsWithoutSignIns : undefined }));
  return <FilterSwitch label="Hide sign-ins" isOn={isOn} onChange={switchOn} />;
}

import { Switch, TextInput } from '@mantine/core';
import { auditActionNames, auditEntityNames, type AuditQuery } from '@switchyard/contract/audit-trail';
import type { ReactNode } from 'react';
import { FilterBar } from '../../shared/listing/filter-bar.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { SearchField } from '../../shared/listing/search-field.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { pickerDay } from '../../shared/time/filter-day.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { DatePicker } from '../../shared/ui/date-picker/date-picker.tsx';
import { Dropdown } from '../../shared/ui/dropdown.tsx';
import type { PickOption } from '../../shared/ui/pick-options.tsx';
import { PickMany } from '../../shared/ui/pick-many.tsx';
import { actionWord, actionsWithoutSignIns, entityNames, hidesSignIns } from './audit-words.ts';

const actions = auditActionNames.map((action) => ({ value: action, name: actionWord(action).name }));
const entities = auditEntityNames.map((entity) => ({ value: entity, name: entityNames[entity] }));

type Props = {
  draft: FilterDraft<AuditQuery>;
  activeCount: number;
  /** Accounts to pick from. */
  actors: readonly PickOption<string>[];
  onRefresh: () => void;
  columns: ReactNode;
};

/** Filters of the activity: a part of a name, who, what was done, to what, and the days. */
export function ActivityFilters({ draft, activeCount, actors, onRefresh, columns }: Props) {
  const { values, set } = draft;
  const offset = useServerOffset();
  const start = pickerDay(values.startDate, offset);
  const end = pickerDay(values.endDate, offset);
  return (
    <FilterBar
      draft={draft}
      activeCount={activeCount}
      columns={columns}
      search={<SearchField value={values.search} onChange={(search) => set({ search })} placeholder="Name or e-mail" maxLength={255} />}
      extra={<RefreshButton onRefresh={onRefresh} />}
    >
      <Dropdown
        label="Who"
        width={148}
        placeholder="Anybody"
        options={actors}
        value={values.actor === undefined ? undefined : String(values.actor)}
        onChange={(id) => set({ actor: id === undefined ? undefined : Number(id) })}
        isClearable
      />
      <PickMany
        label="Action"
        width={124}
        options={actions}
        value={hidesSignIns(values.action) ? [] : (values.action ?? [])}
        onChange={(action) => set({ action: none(action) })}
      />
      <PickMany
        label="What"
        width={124}
        options={entities}
        value={values.entity ?? []}
        onChange={(entity) => set({ entity: none(entity) })}
      />
      <TextInput
        label="Id"
        name="entityId"
        placeholder="Exact id"
        w={148}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        value={values.entityId ?? ''}
        onChange={({ currentTarget: { value } }) => set({ entityId: value === '' ? undefined : value })}
      />
      <DatePicker label="Start day" value={start} until={end} onChange={(startDate) => set({ startDate })} />
      <DatePicker label="End day" value={end} from={start} onChange={(endDate) => set({ endDate })} />
      <Switch
        label="Hide sign-ins"
        size="sm"
        h={32}
        checked={hidesSignIns(values.action)}
        onChange={({ currentTarget: { checked } }) => set({ action: checked ? actionsWithoutSignIns : undefined })}
      />
    </FilterBar>
  );
}

function none<Value>(values: Value[]): Value[] | undefined {
  return values.length === 0 ? undefined : values;
}

import { appStatuses, type AppsQuery } from '@switchyard/contract/apps';
import { FilterSwitch, searchFilter } from '../../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../../shared/listing/filter.ts';
import { Dropdown } from '../../../shared/ui/pick-list.tsx';

const statusNames: Record<AppsQuery['status'], string> = { active: 'Active', deleted: 'Deleted', all: 'All' };
const statusOptions = appStatuses.map((status) => ({ value: status, name: statusNames[status] }));

/** Search, status and the Cache toggle of the apps list. */
export const appsFilters: Filters<AppsQuery> = {
  search: searchFilter({ placeholder: 'Name, bundle, domain or id' }),
  status: {
    field: ({ value, onChange }) => (
      <Dropdown
        label="Status"
        width={120}
        options={statusOptions}
        value={value}
        onChange={(status) => status !== undefined && onChange(status)}
      />
    ),
    chips: (status) => [{ name: 'Status', value: statusNames[status] }],
  },
  isCache: {
    field: ({ value, onChange }) => (
      <FilterSwitch
        label="Cache"
        title="On: figures at most five minutes old. Off: recalculated on every load."
        isOn={value}
        onChange={onChange}
      />
    ),
    chips: () => [{ name: 'Statistics', value: 'live' }],
  },
};

import { appStatuses, domainStates, trafficStates, verticals, type AppsQuery } from '@switchyard/contract/apps';
import { useMemo } from 'react';
import { choiceFilter, FilterSwitch, manyFilter, searchFilter } from '../../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../../shared/listing/filter.ts';
import { listKey } from '../../../shared/listing/list-key.ts';
import { allBuyers, useMayPickBuyers } from '../../../shared/accounts/pick-sources.ts';
import { optionFilter, useServerOptions } from '../../../shared/listing/option-filter.tsx';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { usePickedNames } from '../../../shared/ui/option-source.ts';
import { Dropdown } from '../../../shared/ui/pick-list.tsx';

const statusNames: Record<AppsQuery['status'], string> = { active: 'Active', deleted: 'Deleted', all: 'All' };
const statusOptions = appStatuses.map((status) => ({ value: status, name: statusNames[status] }));

const domainNames: Record<(typeof domainStates)[number], string> = {
  expired: 'Expired',
  expiring: 'Expires within 7 days',
  no_certificate: 'Without certificate',
  not_bound: 'Not bound',
};
const trafficNames: Record<(typeof trafficStates)[number], string> = { none: 'None in 24 hours', falling: 'Less than half of usual' };

const fixedFilters: Pick<Filters<AppsQuery>, 'search' | 'status' | 'vertical' | 'domainState' | 'isCache'> = {
  search: searchFilter({ placeholder: 'Name, bundle, domain or id' }),
  status: {
    field: ({ value, onChange }) => (
      <Dropdown
        label="Status"
        width={104}
        options={statusOptions}
        value={value}
        onChange={(status) => status !== undefined && onChange(status)}
      />
    ),
    chips: (status) => [{ name: 'Status', value: statusNames[status] }],
  },
  vertical: manyFilter({ label: 'Vertical', width: 116, options: verticals.map(({ id, name }) => ({ value: id, name })) }),
  domainState: manyFilter({
    label: 'Domain',
    width: 116,
    options: domainStates.map((state) => ({ value: state, name: domainNames[state] })),
  }),
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
const traffic = choiceFilter({
  label: 'Traffic',
  width: 128,
  options: trafficStates.map((state) => ({ value: state, name: trafficNames[state] })),
});

/** The filters of the apps list; those by buyer, server and traffic for readers who may use them. */
export function useAppsFilters({ buyerId }: Pick<AppsQuery, 'buyerId'>): Filters<AppsQuery> {
  const buyers = useMayPickBuyers() ? allBuyers : null;
  const buyerNames = usePickedNames(buyers, buyerId ?? noIds);
  const { list: servers, retry } = useServerOptions([...listKey('apps'), 'servers']);
  const showsTraffic = useHoldsAny('manager_app_statistics');
  return useMemo(
    () => ({
      search: fixedFilters.search,
      status: fixedFilters.status,
      vertical: fixedFilters.vertical,
      buyerId: optionFilter('Buyer', { options: buyers ?? undefined, nameOf: buyerNames }),
      serverId: optionFilter('Server', {
        options: servers,
        retry,
        nameOf: (id) => servers?.find(({ value }) => value === id)?.name ?? `#${id}`,
      }),
      domainState: fixedFilters.domainState,
      traffic: showsTraffic ? traffic : { chips: traffic.chips },
      isCache: fixedFilters.isCache,
    }),
    [buyers, buyerNames, servers, retry, showsTraffic],
  );
}

const noIds: readonly string[] = [];

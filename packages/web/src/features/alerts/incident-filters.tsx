import {
  alertSeverities,
  incidentFilters as filterSchema,
  incidentsQuery,
  incidentStates,
  type IncidentFilters,
  type IncidentsQuery,
  visibleKinds,
} from '@switchyard/contract/alerts';
import { incidentGroupsQuery } from '@switchyard/contract/incident-lists';
import { kindWords, severityNames, stateNames } from '../../shared/alerts/alert-words.ts';
import { manyFilter, searchFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filter, Filters } from '../../shared/listing/filter.ts';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import type { OptionSource } from '../../shared/ui/option-source.ts';
import type { PickOption } from '../../shared/ui/pick-options.tsx';

/** The states that the list shows unless others are chosen. One array, because filters compare it with their default. */
const openStates: IncidentsQuery['state'] = ['firing', 'acknowledged'];

const withOpenStates = { state: filterSchema.shape.state.transform((states) => (isOpen(states) ? openStates : states)) };

/** The query of the page: that of the call, with the open incidents as default. */
export const incidentListQuery = incidentsQuery.extend(withOpenStates);

/** Filters of the groups. What they are grouped by is no filter. */
export const incidentGroupListQuery = incidentGroupsQuery.omit({ by: true }).extend(withOpenStates);

function isOpen(states: IncidentsQuery['state']): boolean {
  return states === undefined || (states.length === 2 && !states.includes('resolved'));
}

const states = incidentStates.map((state) => ({ value: state, name: stateNames[state] }));
const severities = alertSeverities.map((severity) => ({ value: severity, name: severityNames[severity] }));

type Options = readonly PickOption<string>[] | OptionSource;
type Choices = { permissions: readonly string[]; apps: Options; appName: (id: number) => string; rules: readonly PickOption<string>[] };

/** Filters of incidents: state, severity, kind, app and rule; a server comes from links only. */
export function incidentFilters({ permissions, apps, appName, rules }: Choices): Filters<IncidentFilters> {
  const kinds = visibleKinds(permissions).map((kind) => ({ value: kind, name: kindWords[kind].name }));
  return {
    search: searchFilter({ placeholder: 'Text, rule, app or server' }),
    state: { ...manyFilter({ label: 'State', width: 150, options: states }), isBesideNext: true },
    severity: manyFilter({ label: 'Severity', width: 120, options: severities }),
    kind: manyFilter({ label: 'Kind', width: 180, options: kinds }),
    appId: idFilter('App', apps, appName),
    ruleId: idFilter('Rule', rules, (id) => rules.find(({ value }) => value === String(id))?.name ?? `#${id}`),
    serverId: { chips: (id) => [{ name: 'Server', value: `#${id}` }] },
  };
}

/** A filter by one of some entities; without a control where there is nothing to choose from. */
function idFilter(label: string, options: Options, nameOf: (id: number) => string): Filter<number | undefined> {
  const chips = (id: number) => [{ name: label, value: nameOf(id) }];
  if ('length' in options && options.length === 0) return { chips };
  return {
    field: ({ value, onChange }) => (
      <Dropdown
        label={label}
        width={180}
        placeholder="Any"
        options={options}
        value={value === undefined ? undefined : String(value)}
        onChange={(id) => onChange(id === undefined ? undefined : Number(id))}
        isClearable
      />
    ),
    chips,
  };
}

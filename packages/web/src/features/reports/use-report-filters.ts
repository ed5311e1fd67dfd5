import { severalFiltersOf } from '@switchyard/contract/reports';
import { allApps, allBuyers, useMayPickApps, useMayPickBuyers } from '../../shared/accounts/pick-sources.ts';
import type { Filters } from '../../shared/listing/filter.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { useServerOptions } from '../../shared/listing/option-filter.tsx';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { usePickedNames } from '../../shared/ui/option-source.ts';
import { type NamedGrouping, reportFilters } from './report-filters.tsx';
import { type ReportPageQuery, useKindOptions } from './use-report.ts';

const noIds: readonly string[] = [];

/** The filters of reports with what the reader may pick. `nameIn` gives the names that a report knows already. */
export function useReportFilters(
  query: Pick<ReportPageQuery, 'appId' | 'buyerId' | 'within'>,
  nameIn: (grouping: NamedGrouping, value: string) => string | null | undefined = () => null,
): Filters<ReportPageQuery> {
  const offset = useServerOffset();
  const apps = useMayPickApps() ? allApps : null;
  const buyers = useMayPickBuyers() ? allBuyers : null;
  const servers = useServerOptions([...listKey('reports'), 'servers']);
  const kinds = useKindOptions();
  const names = {
    app: usePickedNames(apps, query.appId ?? noIds),
    buyer: usePickedNames(
      buyers,
      severalFiltersOf(query).flatMap(({ buyerId = [] }) => buyerId),
    ),
    server: (id: string) => servers.list?.find(({ value }) => value === id)?.name ?? `#${id}`,
    stream: (uid: string) => uid,
  };
  const nameOf = (grouping: NamedGrouping, value: string): string => nameIn(grouping, value) ?? names[grouping](value);
  return reportFilters({ offset, apps, buyers, servers, kinds, nameOf });
}

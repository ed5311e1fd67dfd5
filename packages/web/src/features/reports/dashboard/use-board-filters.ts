import { boardQuery, type BoardQuery } from '@switchyard/contract/reports';
import { allApps, allBuyers, useMayPickApps, useMayPickBuyers } from '../../../shared/accounts/pick-sources.ts';
import type { AnyFilters } from '../../../shared/listing/filter.ts';
import { useServerOptions } from '../../../shared/listing/option-filter.tsx';
import { useServerOffset } from '../../../shared/time/server-time.ts';
import { usePickedNames } from '../../../shared/ui/option-source.ts';
import { reportFilters } from '../report-filters.tsx';
import { useKindOptions } from '../use-report.ts';

const noIds: readonly string[] = [];

/** The filters of reports that boards have. */
export function useBoardFilters(query: BoardQuery): AnyFilters {
  const offset = useServerOffset();
  const apps = useMayPickApps() ? allApps : null;
  const buyers = useMayPickBuyers() ? allBuyers : null;
  const servers = useServerOptions(['boards', 'servers']);
  const kinds = useKindOptions();
  const names = {
    app: usePickedNames(apps, query.appId ?? noIds),
    buyer: usePickedNames(buyers, query.buyerId ?? noIds),
    server: (id: string) => servers.list?.find(({ value }) => value === id)?.name ?? `#${id}`,
    stream: (uid: string) => uid,
  };
  const { startDate, endDate, ...others } = reportFilters({
    offset,
    apps,
    buyers,
    servers,
    kinds,
    nameOf: (grouping, value) => names[grouping](value),
  });
  // The first one is always in view, also on phones.
  const all: AnyFilters = { startDate, endDate, ...others };
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in boardQuery.shape));
}

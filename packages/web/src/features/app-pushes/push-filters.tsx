import type { PushesQuery } from '@switchyard/contract/pushes';
import type { ReactNode } from 'react';
import { FilterBar } from '../../shared/listing/filter-bar.tsx';
import { oneChip, type FilterChip } from '../../shared/listing/filter-chip.ts';
import { TextFilter } from '../../shared/listing/text-filter.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { dayChips, DayFilters } from '../../shared/traffic/day-filters.tsx';

/** Longest text that the three uids may be looked for by (api [29]). */
const longest = 255;

type Props = { draft: FilterDraft<PushesQuery>; activeCount: number; tools: ReactNode; columns: ReactNode };

/** Filters of an app's pushes (PUSH-002 to PUSH-005), and the days of sending. */
export function PushFilters({ draft, activeCount, tools, columns }: Props) {
  const { values, set } = draft;
  return (
    <FilterBar
      draft={draft}
      activeCount={activeCount}
      columns={columns}
      search={<TextFilter label="Uid" name="uid" value={values.uid} onChange={(uid) => set({ uid })} maxLength={longest} />}
      extra={tools}
    >
      <TextFilter
        label="Push campaign uid"
        name="pushCampaignUid"
        width={148}
        value={values.pushCampaignUid}
        onChange={(pushCampaignUid) => set({ pushCampaignUid })}
        maxLength={longest}
      />
      <TextFilter
        label="Push id"
        name="pushId"
        width={124}
        value={values.pushId}
        onChange={(pushId) => set({ pushId })}
        maxLength={longest}
      />
      <DayFilters values={values} set={set} />
    </FilterBar>
  );
}

/** The filters in effect. */
export function pushChips(query: PushesQuery, offset: string): FilterChip<PushesQuery>[] {
  return [
    ...oneChip<PushesQuery>('Uid', query.uid, { uid: undefined }),
    ...oneChip<PushesQuery>('Campaign', query.pushCampaignUid, { pushCampaignUid: undefined }),
    ...oneChip<PushesQuery>('Push id', query.pushId, { pushId: undefined }),
    ...dayChips(query, offset),
  ];
}

import { ActionIcon } from '@mantine/core';
import { IconPin } from '@tabler/icons-react';
import { columnName } from '@switchyard/contract/report-texts';
import { groupingsOf, type ReportQuery } from '@switchyard/contract/reports';
import { lazy, Suspense, useState } from 'react';
import type { SavedViews } from '../../../shared/listing/views/use-saved-views.ts';
import { savedAs } from '../../../shared/listing/views/view-state.ts';
import { groupingNames } from '../report-words.ts';
import type { PinnedReport } from './tile-dialog.tsx';
import { Writes } from '../../../shared/ui/read-only.tsx';

/** A file of its own: the page is the heaviest one. */
const TileDialog = lazy(async () => ({ default: (await import('./tile-dialog.tsx')).TileDialog }));

type Props = { views: SavedViews; query: ReportQuery; column: string };

/** Pins the report to Home: as the open saved view, or as a report of the tile's own where it differs from one. */
export function PinButton({ views, query, column }: Props) {
  const [pinned, setPinned] = useState<PinnedReport | null>();
  const pin = (): void => {
    const name = `${columnName(column)} by ${groupingsOf(query)
      .map((grouping) => groupingNames[grouping].toLowerCase())
      .join(' and ')}`;
    setPinned({ view: savedAs(views) ?? { id: null, name, query: views.query }, column });
  };
  return (
    <>
      <Writes>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="Pin to Home"
          title="Pin to Home: see this report on your first page"
          onClick={pin}
        >
          <IconPin size={18} aria-hidden />
        </ActionIcon>
      </Writes>
      {pinned !== undefined && (
        <Suspense fallback={null}>
          <TileDialog pinned={pinned} onClose={() => setPinned(null)} />
        </Suspense>
      )}
    </>
  );
}

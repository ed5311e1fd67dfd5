import { ActionIcon } from '@mantine/core';
import { IconPin } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { SavedViews } from '../../../shared/listing/views/use-saved-views.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import type { PinnedReport } from './tile-dialog.tsx';
import { Writes } from '../../../shared/ui/read-only.tsx';

/** A file of its own: the page is the heaviest one. */
const TileDialog = lazy(async () => ({ default: (await import('./tile-dialog.tsx')).TileDialog }));

/** Pins the open saved view to Home, as it was saved. */
export function PinButton({ views, column }: { views: SavedViews | undefined; column: string | undefined }) {
  const active = views?.active;
  const [pinned, setPinned] = useState<PinnedReport | null>();
  return (
    <>
      <Writes>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="Pin to Home"
          title="Pin to Home: see this saved view on your first page"
          onClick={() => {
            if (active === undefined) notify({ type: 'warning', message: 'Save this report as a view first: Views, Save as new view.' });
            else setPinned({ view: active, column });
          }}
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

import { ActionIcon } from '@mantine/core';
import { IconPin } from '@tabler/icons-react';
import { useState } from 'react';
import type { SavedViews } from '../../../shared/listing/views/use-saved-views.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { TileDialog, type PinnedReport } from './tile-dialog.tsx';

/** Pins the open saved view to Home, as it was saved. */
export function PinButton({ views, column }: { views: SavedViews | undefined; column: string | undefined }) {
  const active = views?.active;
  const [pinned, setPinned] = useState<PinnedReport | null>(null);
  return (
    <>
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
      <TileDialog pinned={pinned} onClose={() => setPinned(null)} />
    </>
  );
}

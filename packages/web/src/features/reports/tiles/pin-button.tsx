import { ActionIcon } from '@mantine/core';
import { IconPin } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { SavedViews } from '../../../shared/listing/views/use-saved-views.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import type { PinnedReport, TileDialog } from './tile-dialog.tsx';

/** Pins the open saved view to Home, as it was saved. */
export function PinButton({ views, column }: { views: SavedViews | undefined; column: string | undefined }) {
  const active = views?.active;
  const [pinned, setPinned] = useState<PinnedReport | null>(null);
  const Dialog = useTileDialog(pinned, () => setPinned(null));
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
      {Dialog !== null && <Dialog pinned={pinned} onClose={() => setPinned(null)} />}
    </>
  );
}

/** The dialog, loaded after the page; again with a press while that has failed. */
function useTileDialog(pinned: PinnedReport | null, cancel: () => void): typeof TileDialog | null {
  const [dialog, setDialog] = useState<{ Dialog: typeof TileDialog } | null>(null);
  const isMissing = dialog === null;
  const isAsked = pinned !== null;
  const fail = useEffectEvent(() => {
    if (!isAsked) return;
    cancel();
    notify({ type: 'danger', message: 'The dialog could not be loaded. Try again.' });
  });
  useEffect(() => {
    if (!isMissing) return;
    import('./tile-dialog.tsx').then(
      (file) => setDialog({ Dialog: file.TileDialog }),
      () => fail(),
    );
  }, [isMissing, isAsked]);
  return dialog === null ? null : dialog.Dialog;
}

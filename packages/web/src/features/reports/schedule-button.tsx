import { ActionIcon } from '@mantine/core';
import { IconCalendarTime } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { SavedViews } from '../../shared/listing/views/use-saved-views.ts';
import { contentOf, savedAs } from '../../shared/listing/views/view-state.ts';
import { useOpenPath } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { Writes } from '../../shared/ui/read-only.tsx';

/** A file of its own: the page is the heaviest one. */
const ViewDialog = lazy(async () => ({ default: (await import('../../shared/listing/views/view-dialog.tsx')).ViewDialog }));

/** Schedules the report that is shown. One that is no saved view is saved as a view first. */
export function ScheduleButton({ views }: { views: SavedViews }) {
  const saved = savedAs(views);
  const openPath = useOpenPath();
  const [dialog, setDialog] = useState<'new' | null>();
  return (
    <>
      <Writes>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="Schedule this report"
          title={saved === undefined ? 'Save this report as a view and schedule it' : 'Schedule this view: send it as a file'}
          onClick={() => (saved === undefined ? setDialog('new') : openPath(paths.scheduleCreate(saved.id)))}
        >
          <IconCalendarTime size={18} aria-hidden />
        </ActionIcon>
      </Writes>
      {dialog !== undefined && (
        <Suspense fallback={null}>
          <ViewDialog
            views={views}
            view={dialog}
            content={contentOf(views, undefined)}
            onClose={() => setDialog(null)}
            onClosed={() => undefined}
            onSaved={({ id }) => openPath(paths.scheduleCreate(id))}
          />
        </Suspense>
      )}
    </>
  );
}

import { Button, Popover, Switch } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { useState } from 'react';
import { useHoldsAny, useSessionUser } from '../session/use-session.ts';
import { Writes } from '../ui/read-only.tsx';
import { RetryNote } from '../ui/retry.tsx';
import { MarkList } from './mark-list.tsx';
import { markCount } from './mark-words.ts';
import classes from './marks.module.css';
import { NoteDialog, type NoteSubject } from './note-dialog.tsx';
import type { TimeAxis } from './place-marks.ts';
import { useChartMarks, useMarksShown, type MarkSubjects } from './use-marks.ts';

type Props = { axis: TimeAxis; subjects: MarkSubjects };

/** The button of a chart that lists its marks, switches them off and on, and adds a note. */
export function MarksMenu({ axis, subjects }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isWriting, setWriting] = useState(false);
  const [isShown, show] = useMarksShown();
  const { marks, isLoading, isFailed, reload } = useChartMarks(axis, subjects);
  const noteSubjects = useNoteSubjects(subjects);
  const count = marks.reduce((sum, mark) => sum + mark.count, 0);
  const entries = marks.flatMap((mark) => mark.entries);
  return (
    <>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-end"
        shadow="md"
        width={360}
        trapFocus
        returnFocus
        transitionProps={{ duration: 100 }}
      >
        <Popover.Target>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconFlag size={13} aria-hidden />}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {!isShown ? 'Marks off' : count === 0 ? 'Marks' : markCount(count)}
          </Button>
        </Popover.Target>
        <Popover.Dropdown className={classes['dropdown'] ?? ''}>
          <div className={classes['head']}>
            <Switch size="sm" label="Show marks in charts" checked={isShown} onChange={(event) => show(event.currentTarget.checked)} />
            {noteSubjects.length > 0 && (
              <Writes>
                <Button
                  size="compact-xs"
                  variant="light"
                  onClick={() => {
                    setOpen(false);
                    setWriting(true);
                  }}
                >
                  Add note
                </Button>
              </Writes>
            )}
          </div>
          {isShown && isFailed && (
            <RetryNote isRunning={isLoading} onRetry={reload}>
              The marks could not be loaded.
            </RetryNote>
          )}
          {isShown && !isFailed && count === 0 && <p className="note">{isLoading ? 'Loading…' : 'No changes in this time.'}</p>}
          {isShown && count > 0 && <MarkList entries={entries} count={count} />}
        </Popover.Dropdown>
      </Popover>
      <NoteDialog isOpen={isWriting} subjects={noteSubjects} onClose={() => setWriting(false)} />
    </>
  );
}

/** What the reader may write a note about at this chart: its app or server, and all. */
function useNoteSubjects({ appIds, serverIds }: MarkSubjects): readonly NoteSubject[] {
  const user = useSessionUser();
  const mayWrite = useHoldsAny('manager_app_edit');
  const maySeeServers = useHoldsAny('manager_settings_server');
  if (!mayWrite || user === null) return [];
  const [app, server] = [appIds?.length === 1 ? appIds[0] : undefined, serverIds?.length === 1 ? serverIds[0] : undefined];
  return [
    ...(app === undefined ? [] : [{ key: 'app', name: 'This app', fields: { app_id: app } }]),
    ...(server === undefined || !maySeeServers ? [] : [{ key: 'server', name: 'This server', fields: { server_id: server } }]),
    ...(user.hasAllApps ? [{ key: 'all', name: 'All apps and servers', fields: {} }] : []),
  ];
}

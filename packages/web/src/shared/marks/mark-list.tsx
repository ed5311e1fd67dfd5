import { ActionIcon } from '@mantine/core';
import { dayOf, parseDateTime } from '@switchyard/contract/dates';
import { deleteNote, type MarkEntry } from '@switchyard/contract/marks';
import { IconTrash } from '@tabler/icons-react';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { listKey } from '../listing/list-key.ts';
import { AppLink } from '../navigation.tsx';
import { useSessionUser } from '../session/use-session.ts';
import { useDisplayDate, useServerOffset } from '../time/server-time.ts';
import { askToChange } from '../ui/confirm.tsx';
import { withMarks } from '../ui/hidden-characters.ts';
import { Writes } from '../ui/read-only.tsx';
import { groupedNumber } from '../ui/text-format.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import { entryPath, entryText } from './mark-words.ts';
import classes from './marks.module.css';

type Props = {
  entries: readonly MarkEntry[];
  /** How many changes there are; only some of many are listed. */
  count: number;
};

/** Changes with who and when, each with a link to its history or incident. */
export function MarkList({ entries, count }: Props) {
  const rest = count - entries.length;
  return (
    <>
      <ul className={classes['entries']}>
        {entries.map((entry) => (
          <Entry key={`${entry.kind} ${entry.id} ${entry.what}`} entry={entry} />
        ))}
      </ul>
      {rest > 0 && <p className={classes['rest']}>And {groupedNumber(rest)} more at these times.</p>}
    </>
  );
}

function Entry({ entry }: { entry: MarkEntry }) {
  const displayDate = useDisplayDate();
  const offset = useServerOffset();
  const user = useSessionUser();
  const text = entryText(entry);
  const path = entryPath(entry, { day: dayOf(parseDateTime(entry.at), offset), user });
  const subject = entry.kind === 'note' ? (entry.app ?? entry.server) : null;
  return (
    <li className={classes['entry']} data-kind={entry.kind}>
      <span>
        {path === null ? (
          <VisibleText text={text} />
        ) : (
          <AppLink href={path} className="name-link">
            <VisibleText text={text} />
          </AppLink>
        )}
      </span>
      <span className={classes['when']}>
        {displayDate(entry.at).slice(0, 16)}
        {entry.by !== null && (
          <>
            {' · '}
            <VisibleText text={entry.by.name} />
          </>
        )}
        {subject !== null && (
          <>
            {' · '}
            <VisibleText text={subject.name} />
          </>
        )}
        {entry.run !== null && entry.kind !== 'bulk' && ` · bulk change ${entry.run}`}
      </span>
      {entry.is_deletable && (
        <Writes>
          <ActionIcon
            variant="subtle"
            color="neutral"
            size="sm"
            className={classes['delete'] ?? ''}
            aria-label="Delete note"
            title="Delete note"
            onClick={() => askToDelete(entry)}
          >
            <IconTrash size={14} aria-hidden />
          </ActionIcon>
        </Writes>
      )}
    </li>
  );
}

function askToDelete({ id, name }: MarkEntry): void {
  askToChange({
    title: 'Delete the note?',
    lines: [withMarks(name ?? '')],
    change: () => call(deleteNote, { params: { id } }),
    doneMessage: 'The note has been deleted',
    reload: () => queryClient.invalidateQueries({ queryKey: listKey('marks') }),
  });
}

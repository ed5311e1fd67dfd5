import { ActionIcon, Badge } from '@mantine/core';
import type { AccountApp } from '@switchyard/contract/accounts';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import classes from './apps-table.module.css';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';

/** An app of an account on the screen: attached, marked to be removed, or to be added. */
export type AppLine = Pick<AccountApp, 'id' | 'name' | 'bundle' | 'deleted_at'> & { readonly mark: 'removed' | 'new' | null };

type Props = {
  lines: readonly AppLine[];
  /** Nothing may be changed. */
  isLocked: boolean;
  /** Marks an app as removed, undoes the mark, or takes a new one back. */
  onToggle: (id: number) => void;
};

/** The apps of an account; what is marked counts once it is saved (USER-053, BUY-016 to BUY-018). */
export function AppsTable({ lines, isLocked, onToggle }: Props) {
  return (
    <table className={classes['table']} aria-label="Apps">
      <thead>
        <tr>
          <th scope="col">Bundle</th>
          <th scope="col">Action</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.id} line={line} isLocked={isLocked} onToggle={() => onToggle(line.id)} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ line, isLocked, onToggle }: { line: AppLine; isLocked: boolean; onToggle: () => void }) {
  const isRemoved = line.mark === 'removed';
  const action = isRemoved ? `Restore ${withMarks(line.name)}` : `Remove ${withMarks(line.name)}`;
  const Picture = isRemoved ? IconArrowBackUp : IconTrash;
  return (
    <tr data-mark={line.mark ?? undefined}>
      <td>
        <span className={classes['app']}>
          <span className={classes['bundle']}>
            <VisibleText text={line.bundle} />
          </span>
          <span className={classes['name']}>
            (<VisibleText text={line.name} />)
          </span>
          {line.deleted_at !== null && <Mark text="Archived" tone="warning" />}
          {line.mark === 'removed' && <Mark text="Removed on save" tone="danger" />}
          {line.mark === 'new' && <Mark text="New" tone="success" />}
        </span>
      </td>
      <td>
        <ActionIcon
          variant="subtle"
          color={isRemoved ? 'accent' : 'neutral'}
          size="md"
          aria-label={action}
          title={action}
          disabled={isLocked}
          onClick={onToggle}
        >
          <Picture size={16} stroke={1.7} aria-hidden />
        </ActionIcon>
      </td>
    </tr>
  );
}

function Mark({ text, tone }: { text: string; tone: 'warning' | 'danger' | 'success' }) {
  return (
    <Badge color={tone} variant="light" radius="sm" tt="none">
      {text}
    </Badge>
  );
}

import { Badge } from '@mantine/core';
import type { AccountApp } from '@switchyard/contract/accounts';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { RowAction } from '../../../shared/listing/row-action.tsx';
import classes from './apps-table.module.css';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { ShortRows } from '../../../shared/ui/short-rows.tsx';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';

/** An app of an account in the table: attached, to be removed, or to be added. */
export type AppLine = Pick<AccountApp, 'id' | 'name' | 'bundle' | 'deleted_at'> & { readonly mark: 'removed' | 'new' | null };

/** The lines of the table: the attached apps, those to be removed marked, then the apps to be added. */
export function appLines(
  attachedApps: readonly AccountApp[],
  chosenIds: ReadonlySet<number>,
  pool: readonly Omit<AccountApp, 'deleted_at'>[],
): AppLine[] {
  const attachedIds = new Set(attachedApps.map(({ id }) => id));
  return [
    ...attachedApps.map((app): AppLine => ({ ...app, mark: chosenIds.has(app.id) ? null : 'removed' })),
    ...pool
      .filter(({ id }) => chosenIds.has(id) && !attachedIds.has(id))
      .map(({ id, name, bundle }): AppLine => ({ id, name, bundle, deleted_at: null, mark: 'new' })),
  ];
}

/** The set with the id added, or removed if it contained it. */
export function toggleId(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return new Set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]);
}

function words(number: number, what: string): string[] {
  return number === 0 ? [] : [`${number} ${number === 1 ? 'app' : 'apps'} ${what}`];
}

/** The unsaved changes in words, for the save bar. */
export function changesInWords(lines: readonly AppLine[]): string[] {
  const count = (mark: AppLine['mark']): number => lines.filter((line) => line.mark === mark).length;
  return [...words(count('new'), 'added'), ...words(count('removed'), 'removed')];
}

type Props = {
  lines: readonly AppLine[];
  /** Whether nothing may be changed. */
  isLocked: boolean;
  /** Marks an app as removed, or undoes its mark. */
  onToggle: (id: number) => void;
};

/** The apps of an account with their unsaved marks. */
export function AppsTable({ lines, isLocked, onToggle }: Props) {
  return (
    <ShortRows rows={lines} noun="apps" textOf={({ name, bundle }) => `${bundle} ${name}`} isMarked={({ mark }) => mark !== null}>
      {(shownLines) => (
        <table className={classes['table']} aria-label="Apps">
          <thead>
            <tr>
              <th scope="col">Bundle</th>
              <th scope="col">Action</th>
            </tr>
          </thead>
          <tbody>
            {shownLines.map((line) => (
              <Line key={line.id} line={line} isLocked={isLocked} onToggle={() => onToggle(line.id)} />
            ))}
          </tbody>
        </table>
      )}
    </ShortRows>
  );
}

function Line({ line, isLocked, onToggle }: { line: AppLine; isLocked: boolean; onToggle: () => void }) {
  const isRemoved = line.mark === 'removed';
  const action = isRemoved ? `Restore ${withMarks(line.name)}` : `Remove ${withMarks(line.name)}`;
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
        <RowAction
          icon={isRemoved ? IconArrowBackUp : IconTrash}
          label={action}
          color={isRemoved ? 'accent' : 'neutral'}
          isDisabled={isLocked}
          onClick={onToggle}
        />
      </td>
    </tr>
  );
}

function Mark({ text, tone }: { text: string; tone: 'warning' | 'danger' | 'success' }) {
  return (
    <Badge size="md" color={tone}>
      {text}
    </Badge>
  );
}

import type { AppRow } from '@switchyard/contract/apps';
import { IconArchive, IconArchiveOff, IconListSearch, IconPencil } from '@tabler/icons-react';
import { RowAction } from '../../../shared/listing/row-action.tsx';
import { paths } from '../../../shared/paths.ts';
import { confirmArchive, confirmRestore } from './archive-app.ts';
import classes from './app-cells.module.css';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';

/** The account's rights to the apps of the list. */
export type AppRights = { statistics: boolean; edit: boolean; requests: boolean; archive: boolean };

/** Where the name of an app leads: to the first of its tabs that the account may open, if there is one. */
export function appHref(app: Pick<AppRow, 'id' | 'deleted_at'>, rights: AppRights): string | null {
  if (app.deleted_at === null) return rights.edit ? paths.appEdit(app.id, 'General') : null;
  return rights.requests ? paths.appEdit(app.id, 'Event') : null;
}

/** Links to an app's requests and settings; archived apps cannot be edited. */
export function AppActions({ app, rights }: { app: AppRow; rights: AppRights }) {
  const name = withMarks(app.name);
  return (
    <span className={classes['actions']}>
      <RowAction
        icon={IconListSearch}
        label={`View events of ${name}`}
        href={paths.appEdit(app.id, 'Event')}
        isDisabled={!rights.requests}
        needs="manager_app_requests"
      />
      {app.deleted_at === null && (
        <RowAction
          icon={IconPencil}
          label={`Edit ${name}`}
          href={paths.appEdit(app.id, 'General')}
          isDisabled={!rights.edit}
          needs="manager_app_edit"
        />
      )}
    </span>
  );
}

/** Archives an active app, restores an archived one, after a prompt. */
export function ArchiveButton({ app }: { app: AppRow }) {
  const name = withMarks(app.name);
  return app.deleted_at === null ? (
    <RowAction icon={IconArchive} label={`Archive ${name}`} onClick={() => confirmArchive(app)} />
  ) : (
    <RowAction icon={IconArchiveOff} label={`Restore ${name}`} color="success" onClick={() => confirmRestore(app)} />
  );
}

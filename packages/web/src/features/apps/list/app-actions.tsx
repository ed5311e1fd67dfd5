import { ActionIcon } from '@mantine/core';
import type { AppRow } from '@switchyard/contract/apps';
import { IconArchive, IconArchiveOff, IconListSearch, IconPencil, type Icon } from '@tabler/icons-react';
import { AppLink } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { useGridTabIndex } from '../../../shared/ui/grid-tab-index.ts';
import { confirmArchive, confirmRestore } from './archive-app.ts';
import classes from './app-cells.module.css';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';

/** What the account may do with the apps of the list. */
export type AppRights = { statistics: boolean; edit: boolean; events: boolean; archive: boolean };

/** Where the name of an app leads: to the first of its tabs that the account may open, if there is one. */
export function appHref(app: Pick<AppRow, 'id' | 'deleted_at'>, rights: AppRights): string | null {
  if (app.deleted_at === null) return rights.edit ? paths.appEdit(app.id, 'General') : null;
  return rights.events ? paths.appEdit(app.id, 'Event') : null;
}

/** Ways to an app's events and settings; archived apps cannot be edited. */
export function AppActions({ app, rights }: { app: AppRow; rights: AppRights }) {
  return (
    <span className={classes['actions']}>
      <IconLink
        icon={IconListSearch}
        label={`View events of ${withMarks(app.name)}`}
        href={rights.events ? paths.appEdit(app.id, 'Event') : null}
      />
      {app.deleted_at === null && (
        <IconLink icon={IconPencil} label={`Edit ${withMarks(app.name)}`} href={rights.edit ? paths.appEdit(app.id, 'General') : null} />
      )}
    </span>
  );
}

type IconLinkProps = { icon: Icon; label: string; /** Null while the account may not go there. */ href: string | null };

function IconLink({ icon: Picture, label, href }: IconLinkProps) {
  const tabIndex = useGridTabIndex();
  const look = { variant: 'subtle', color: 'neutral', size: 'md', 'aria-label': label, title: label } as const;
  const focus = tabIndex === undefined ? {} : { tabIndex };
  const picture = <Picture size={16} stroke={1.7} aria-hidden />;
  if (href === null) {
    return (
      <ActionIcon {...look} disabled>
        {picture}
      </ActionIcon>
    );
  }
  return (
    <ActionIcon {...look} {...focus} component={AppLink} href={href}>
      {picture}
    </ActionIcon>
  );
}

/** Archives an active app, restores an archived one, after a prompt. */
export function ArchiveButton({ app }: { app: AppRow }) {
  const tabIndex = useGridTabIndex();
  const isArchived = app.deleted_at !== null;
  const Picture = isArchived ? IconArchiveOff : IconArchive;
  const label = `${isArchived ? 'Restore' : 'Archive'} ${withMarks(app.name)}`;
  return (
    <ActionIcon
      variant="subtle"
      color={isArchived ? 'success' : 'neutral'}
      size="md"
      aria-label={label}
      title={label}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={() => (isArchived ? confirmRestore(app) : confirmArchive(app))}
    >
      <Picture size={16} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}

import { appConfirms, archiveApp, restoreApp, type AppRow } from '@switchyard/contract/apps';
import { call } from '../../../shared/api/call.ts';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { notify, notifyDeletion } from '../../../shared/ui/notifications/notification-center.ts';
import { reloadApp } from '../edit/app-query.ts';

type NamedApp = Pick<AppRow, 'id' | 'name'>;

/** Asks whether an app is to be archived, archives it, has the list read again and offers to restore the app. */
export function confirmArchive(app: NamedApp): void {
  askConfirm({
    title: appConfirms.title,
    lines: [appConfirms.archive, app.name],
    isDangerous: true,
    action: () => archive(app),
  });
}

/** Asks whether an app is to be restored, restores it and has list and app read again. */
export function confirmRestore(app: NamedApp): void {
  askConfirm({
    title: appConfirms.title,
    lines: [appConfirms.restore, app.name],
    action: () => restore(app),
  });
}

const keyOf = ({ id }: NamedApp): string => `archive app ${id}`;

/** After a rejected change, list and app are reloaded as well: the app may have been deleted. */
async function archive(app: NamedApp): Promise<void> {
  const undo = async (): Promise<void> => {
    try {
      await restore(app);
    } catch {
      // The error policy has shown the reason.
    }
  };
  try {
    await call(archiveApp, { params: { id: app.id } });
    notifyDeletion({ message: `App "${app.name}" archived`, key: keyOf(app), undo });
  } finally {
    await reloadApp(app.id);
  }
}

async function restore(app: NamedApp): Promise<void> {
  try {
    await call(restoreApp, { params: { id: app.id } });
    notify({ type: 'success', message: `App "${app.name}" restored`, key: keyOf(app) });
  } finally {
    await reloadApp(app.id);
  }
}

import { appConfirms, archiveApp, restoreApp, type AppRow } from '@switchyard/contract/apps';
import { call } from '../../../shared/api/call.ts';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { reloadApp } from '../edit/app-query.ts';

/** Asks whether an app is to be archived, archives it and has the list read again. */
export function confirmArchive({ id, name }: Pick<AppRow, 'id' | 'name'>): void {
  askConfirm({
    title: appConfirms.title,
    lines: [appConfirms.archive, name],
    isDangerous: true,
    action: () => change(id, () => call(archiveApp, { params: { id } }), `App "${name}" archived`),
  });
}

/** Asks whether an app is to be restored, restores it and has list and app read again. */
export function confirmRestore({ id, name }: Pick<AppRow, 'id' | 'name'>): void {
  askConfirm({
    title: appConfirms.title,
    lines: [appConfirms.restore, name],
    action: () => change(id, () => call(restoreApp, { params: { id } }), `App "${name}" restored`),
  });
}

/** After a rejected change, list and app are reloaded as well: the app may have been deleted. */
async function change(id: number, write: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await write();
    notify({ type: 'success', message: done, key: `archive app ${id}` });
  } finally {
    await reloadApp(id);
  }
}

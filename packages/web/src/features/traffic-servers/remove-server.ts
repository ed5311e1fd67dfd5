import { serverConfirms } from '@switchyard/contract/server-rules';
import { deleteServer, listServerDependants, type ServerDependants, type TrafficServer } from '@switchyard/contract/traffic-servers';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { forgetServers } from './server-query.ts';

/** So many apps are named one by one. */
const named = 8;

/** Asks whether a server is to be removed, with the apps whose links go with it, and removes it (SRV-012, SRV-013). */
export async function confirmRemoval({ id, name }: Pick<TrafficServer, 'id' | 'name'>): Promise<void> {
  const dependants = await dependantsOf(id);
  if (dependants === null) return;
  askConfirm({
    title: serverConfirms.remove.title,
    lines: [serverConfirms.remove.text, `Server "${name}"`, ...dependantLines(dependants)],
    isDangerous: true,
    action: async () => {
      try {
        await call(deleteServer, { params: { id } });
        notify({ type: 'success', message: `Server "${name}" removed` });
      } finally {
        await forgetServers();
      }
    },
  });
}

/** What goes with a server; null when it could not be told, which has been shown, or when it is gone. */
async function dependantsOf(id: number): Promise<ServerDependants | null> {
  try {
    return (await call(listServerDependants, { params: { id } })).data;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status === 404) {
      notify({ type: 'danger', message: 'There is no such server' });
      await forgetServers();
    }
    return null;
  }
}

/** What depends on a server, a line each. */
export function dependantLines({ links, others }: ServerDependants): string[] {
  if (links.length + others === 0) return [];
  const apps = links.slice(0, named).map(({ app }) => `${app.name} (${app.domain})${app.deleted_at === null ? '' : ', archived'}`);
  const rest = links.length - apps.length + others;
  return ['These apps lose their link to it:', ...apps, ...(rest > 0 ? [`${apps.length === 0 ? '' : 'and '}${rest} more`] : [])];
}

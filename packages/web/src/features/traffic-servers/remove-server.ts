import { shownDomain } from '@switchyard/contract/host-name';
import { serverConfirms } from '@switchyard/contract/server-rules';
import { deleteServer, listServerDependants, type ServerDependants, type TrafficServer } from '@switchyard/contract/traffic-servers';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { askToChange } from '../../shared/ui/confirm.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { refreshServers } from './server-model.ts';

/** The number of apps that are listed by name. */
const maxNamed = 8;

/** Asks whether to remove a server, naming the apps that lose their link to it, and removes it. */
export async function confirmRemoval({ id, name }: Pick<TrafficServer, 'id' | 'name'>): Promise<void> {
  const dependants = await dependantsOf(id);
  if (dependants === null) return;
  askToChange({
    title: serverConfirms.remove.title,
    lines: [serverConfirms.remove.text, `Server "${name}"`, ...dependantLines(dependants)],
    change: () => call(deleteServer, { params: { id } }),
    doneMessage: `Server "${name}" removed`,
    reload: refreshServers,
  });
}

/** Loads the dependants of a server; null if that failed, which is reported, or if the server no longer exists. */
async function dependantsOf(id: number): Promise<ServerDependants | null> {
  try {
    return (await call(listServerDependants, { params: { id } })).data;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status === 404) {
      notify({ type: 'danger', message: 'There is no such server' });
      await refreshServers();
    }
    return null;
  }
}

/** Dependants of a server, one line each. */
export function dependantLines({ links, others }: ServerDependants): string[] {
  if (links.length + others === 0) return [];
  const apps = links
    .slice(0, maxNamed)
    .map(({ app }) => `${app.name} (${shownDomain(app.domain)})${app.deleted_at === null ? '' : ', archived'}`);
  const rest = links.length - apps.length + others;
  return ['These apps lose their link to it:', ...apps, ...(rest > 0 ? [`${apps.length === 0 ? '' : 'and '}${rest} more`] : [])];
}

import { serverHistory } from '@switchyard/contract/history';
import { saveServer as saveCall } from '@switchyard/contract/traffic-servers';
import { notFound } from '../../errors.ts';
import type { Bind } from '../../http/bind.ts';
import { bindHistory, type HistoryDependencies, saveCallOf } from '../history/history-lookup.ts';
import { plainFields, saveServer, type ServerDependencies } from './server-commands.ts';
import { findServer } from './servers-store.ts';

/** Binds the calls on the history of traffic servers. */
export function bindServerHistory(bind: Bind, deps: ServerDependencies & HistoryDependencies): void {
  bindHistory(bind, deps, serverHistory, {
    entity: 'server',
    schema: saveCall.body,
    bodyOf: (values) => ({ ...values }),
    async read(db, { id }) {
      const server = await findServer(db, id);
      if (!server) throw notFound();
      return { version: server.version, fields: plainFields(server) };
    },
    save: async (input) => saveServer(deps, saveCallOf(input, { schema: saveCall.body, needs: saveCall.access.anyOf })),
  });
}

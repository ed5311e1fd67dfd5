import {
  appHistory,
  buyerHistory,
  roleHistory,
  serverHistory,
  userHistory,
  type HistoryCalls,
  type HistoryEntity,
} from '@switchyard/contract/history';
import { paths } from '../../shared/paths.ts';

/** A kind of entity with a history: its calls, and the pages around that of its history. */
export type HistoryKind = {
  readonly entity: HistoryEntity;
  readonly calls: HistoryCalls;
  readonly listTitle: string;
  readonly listPath: string;
  readonly editPath: (id: number) => string;
};

/** The kinds of entities with a history. A role's page of the other panel leads on to its own. */
export const historyKinds = {
  app: {
    entity: 'app',
    calls: appHistory,
    listTitle: 'Apps',
    listPath: paths.apps(),
    editPath: (id) => paths.appEdit(id, 'General'),
  },
  role: {
    entity: 'role',
    calls: roleHistory,
    listTitle: 'Roles',
    listPath: paths.roles(),
    editPath: (id) => paths.roleEdit('user', id),
  },
  user: { entity: 'user', calls: userHistory, listTitle: 'Users', listPath: paths.users('Users'), editPath: paths.userEdit },
  buyer: { entity: 'buyer', calls: buyerHistory, listTitle: 'Users', listPath: paths.users('Buyers'), editPath: paths.buyerEdit },
  server: { entity: 'server', calls: serverHistory, listTitle: 'Servers', listPath: paths.servers(), editPath: paths.serverEdit },
} as const satisfies Readonly<Record<HistoryEntity, HistoryKind>>;

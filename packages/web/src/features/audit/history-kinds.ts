import { responseEntries } from '@switchyard/contract/app-rules';
import { getApp } from '@switchyard/contract/app-form';
import { getBuyer } from '@switchyard/contract/buyers';
import {
  appHistory,
  buyerHistory,
  roleHistory,
  serverHistory,
  userHistory,
  type HistoryCalls,
  type HistoryEntity,
} from '@switchyard/contract/history';
import { getRole } from '@switchyard/contract/roles';
import { getServer, serverFields } from '@switchyard/contract/traffic-servers';
import { getUser } from '@switchyard/contract/users';
import { call, inBackground } from '../../shared/api/call.ts';
import { paths } from '../../shared/paths.ts';

/** A kind of entity with a history: its calls, and the pages around that of its history. */
export type HistoryKind = {
  readonly entity: HistoryEntity;
  readonly calls: HistoryCalls;
  readonly listTitle: string;
  readonly listPath: string;
  readonly editPath: (id: number) => string;
  /** Fields that its changes name. */
  readonly fields: readonly string[];
  /** The present name of an entity whose history has no entry. */
  readonly findName: (id: number, signal: AbortSignal) => Promise<string>;
};

const accountFields = ['name', 'email', 'password', 'roles', 'hasAccess', 'hasAllApps', 'appIds', 'isQa'];

/** The kinds of entities with a history. A role's page of the other panel leads on to its own. */
export const historyKinds = {
  app: {
    entity: 'app',
    fields: [
      ...([
        'name',
        'bundle',
        'domain',
        'vertical',
        'whiteUserAgent',
        'conversion_api_type',
        'userIds',
        'app_mode',
        'response_mode',
      ] as const),
      ...['createApfDevKey', 'firebaseAppId', 'apiSecret'].map((key) => `keys.${key}`),
      ...(['proxy_api_url', 'proxy_cache_seconds', 'static_response_path', 'cloak_mode', 'adspect_cloak', 'deleted_at'] as const),
      ...responseEntries.flatMap((entry) => ['type', 'code', 'response'].map((part) => `response_message.${entry}.${part}`)),
    ],
    calls: appHistory,
    listTitle: 'Apps',
    listPath: paths.apps(),
    editPath: (id) => paths.appEdit(id, 'General'),
    findName: async (id, signal) => (await call(getApp, { params: { id }, signal, ...inBackground })).data.name,
  },
  role: {
    entity: 'role',
    fields: ['name', 'permission_ids'],
    calls: roleHistory,
    listTitle: 'Roles',
    listPath: paths.roles(),
    editPath: (id) => paths.roleEdit('user', id),
    findName: async (id, signal) => (await call(getRole, { params: { id }, signal, ...inBackground })).data.name,
  },
  user: {
    entity: 'user',
    fields: accountFields,
    calls: userHistory,
    listTitle: 'Users',
    listPath: paths.users('Users'),
    editPath: paths.userEdit,
    findName: async (id, signal) => (await call(getUser, { params: { id }, signal, ...inBackground })).data.name,
  },
  buyer: {
    entity: 'buyer',
    fields: accountFields,
    calls: buyerHistory,
    listTitle: 'Users',
    listPath: paths.users('Buyers'),
    editPath: paths.buyerEdit,
    findName: async (id, signal) => (await call(getBuyer, { params: { id }, signal, ...inBackground })).data.name,
  },
  server: {
    entity: 'server',
    fields: Object.keys(serverFields),
    calls: serverHistory,
    listTitle: 'Servers',
    listPath: paths.servers(),
    editPath: paths.serverEdit,
    findName: async (id, signal) => (await call(getServer, { params: { id }, signal, ...inBackground })).data.name,
  },
} as const satisfies Readonly<Record<HistoryEntity, HistoryKind>>;

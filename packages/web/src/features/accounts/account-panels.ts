import { inviteBuyer, inviteUser, type InviteBody, type NewInvitation } from '@switchyard/contract/invitations';
import type { Account, CreateAccountBody, SaveAccountBody } from '@switchyard/contract/accounts';
import { createBuyer, deleteBuyer, getBuyer, saveBuyer, switchBuyerAccess } from '@switchyard/contract/buyers';
import { type Belongings, getBuyerBelongings, getUserBelongings, type HandOverTo } from '@switchyard/contract/belongings';
import type { Panel } from '@switchyard/contract/permissions';
import { listBuyerRoles, listUserRoles, type RoleChoice } from '@switchyard/contract/roles';
import { createUser, deleteUser, getUser, saveUser, switchUserAccess } from '@switchyard/contract/users';
import { call, inBackground } from '../../shared/api/call.ts';
import { paths, type UsersTab } from '../../shared/paths.ts';

/** Statuses that the screens of accounts show themselves: forbidden by rank, and changed meanwhile. */
const showsFailureItself = (status: number | null): boolean => status === 403 || status === 412;

/** Differences between staff accounts and buyers: words, addresses and calls. */
export type AccountPanel = {
  readonly panel: Panel;
  /** Noun of one account. */
  readonly noun: 'user' | 'buyer';
  /** The tab of the users page that lists them. */
  readonly tab: UsersTab;
  readonly createPath: string;
  readonly editPath: (id: number) => string;
  /** Tabs of the edit page. */
  readonly editTabs: readonly string[];
  readonly roles: (signal: AbortSignal) => Promise<RoleChoice[]>;
  readonly load: (id: number, signal: AbortSignal) => Promise<Account>;
  readonly create: (body: CreateAccountBody) => Promise<Account>;
  /** Creates an account whose owner sets the password through a link. */
  readonly invite: (body: InviteBody) => Promise<Account & { invitation: NewInvitation }>;
  /** Saves only if the account still has this version. The caller shows a 403 or a 412. */
  readonly save: (id: number, version: number, body: SaveAccountBody) => Promise<Account>;
  /** Belongings of an account. */
  readonly belongings: (id: number, signal: AbortSignal) => Promise<Belongings>;
  readonly remove: (id: number, handOverTo?: HandOverTo) => Promise<unknown>;
  readonly switchAccess: (id: number, hasAccess: boolean, handOverTo?: HandOverTo) => Promise<Account>;
};

export const staff: AccountPanel = {
  panel: 'user',
  noun: 'user',
  tab: 'Users',
  createPath: paths.userCreate(),
  editPath: paths.userEdit,
  editTabs: ['Settings', 'Apps'],
  roles: async (signal) => (await call(listUserRoles, { signal, isSilent: true })).data,
  load: async (id, signal) => (await call(getUser, { params: { id }, signal })).data,
  create: async (body) => (await call(createUser, { body, showsFailureItself })).data,
  invite: async (body) => (await call(inviteUser, { body, showsFailureItself })).data,
  save: async (id, version, body) => (await call(saveUser, { params: { id }, body, ifMatch: version, showsFailureItself })).data,
  belongings: async (id, signal) => (await call(getUserBelongings, { params: { id }, signal, ...inBackground })).data,
  remove: (id, handOverTo) => call(deleteUser, { params: { id }, body: { handOverTo }, showsFailureItself }),
  switchAccess: async (id, hasAccess, handOverTo) =>
    (await call(switchUserAccess, { params: { id }, body: { hasAccess, handOverTo }, showsFailureItself })).data,
};

export const buyers: AccountPanel = {
  panel: 'buyer',
  noun: 'buyer',
  tab: 'Buyers',
  createPath: paths.buyerCreate(),
  editPath: paths.buyerEdit,
  editTabs: ['Settings', 'Apps', 'Streams'],
  roles: async (signal) => (await call(listBuyerRoles, { signal, isSilent: true })).data,
  load: async (id, signal) => (await call(getBuyer, { params: { id }, signal })).data,
  create: async (body) => (await call(createBuyer, { body, showsFailureItself })).data,
  invite: async (body) => (await call(inviteBuyer, { body, showsFailureItself })).data,
  save: async (id, version, body) => (await call(saveBuyer, { params: { id }, body, ifMatch: version, showsFailureItself })).data,
  belongings: async (id, signal) => (await call(getBuyerBelongings, { params: { id }, signal, ...inBackground })).data,
  remove: (id, handOverTo) => call(deleteBuyer, { params: { id }, body: { handOverTo }, showsFailureItself }),
  switchAccess: async (id, hasAccess, handOverTo) =>
    (await call(switchBuyerAccess, { params: { id }, body: { hasAccess, handOverTo }, showsFailureItself })).data,
};

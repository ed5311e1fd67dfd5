import * as contract from '@switchyard/contract/boards';
import { holdsAny } from '@switchyard/contract/permissions';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { accountListPermissions } from '@switchyard/contract/users';
import { lockAccount } from '../../database/lock-account.ts';
import { changesBetween, recordAudit, transaction, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { conflict, FieldErrors, notFound } from '../../errors.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import { readShareRoles } from '../saved-views/saved-views-lookup.ts';
import * as store from './boards-store.ts';
import type { CommandDependencies } from './tile-commands.ts';

/** Creates a board. Throws 422 for one too many, and for a query, roles and people that the caller may not choose. */
export async function createBoard(
  { db, now }: CommandDependencies,
  { body, caller, request }: Call<typeof contract.createBoard>,
): Promise<contract.StoredBoard> {
  const { account } = caller;
  return transaction(db, async (tx) => {
    await lockAccount(tx, account.id);
    if ((await store.countBoards(tx, account.id)) >= contract.boardLimits.perAccount)
      throw new FieldErrors({ name: [contract.boardMessages.tooMany] });
    const fields = await validFields(tx, caller, { fields: body, stored: { role_ids: [], account_ids: [] } });
    const id = await store.insertBoard(tx, { ...fields, ownerId: account.id, now: now() });
    const changes = changesBetween({}, fields);
    return recordAudit(
      tx,
      { ...event({ caller, request }, { id, name: fields.name }), action: 'create', changes },
      await read(tx, caller, id),
    );
  });
}

/** Changes the fields of an own board that were sent. Throws 404 if there is none, 409 if it has changed since it was read, then as `createBoard`. */
export async function updateBoard(
  { db, now }: CommandDependencies,
  { params: { id }, body: { read_version: version, ...sent }, caller, request }: Call<typeof contract.updateBoard>,
): Promise<contract.StoredBoard> {
  return transaction(db, async (tx) => {
    const before = await lockOwn(tx, caller, id);
    if (before.version !== version) throw conflict(contract.boardMessages.changed);
    const accountIds = before.accounts.map((one) => one.id);
    const old = { name: before.name, query: before.query, role_ids: before.role_ids, account_ids: accountIds };
    const wanted = {
      name: sent.name ?? old.name,
      query: sent.query ?? old.query,
      role_ids: sent.role_ids ?? old.role_ids,
      account_ids: sent.account_ids ?? old.account_ids,
    };
    const fields = await validFields(tx, caller, { fields: wanted, stored: old });
    const changes = changesBetween(old, fields);
    if (changes.length === 0) return unchanged(await read(tx, caller, id));
    await store.updateStoredBoard(tx, id, { fields, now: now() });
    return recordAudit(
      tx,
      { ...event({ caller, request }, { id, name: fields.name }), action: 'update', changes },
      await read(tx, caller, id),
    );
  });
}

/** Deletes an own board with its tiles. Throws 404 if there is none. */
export async function deleteBoard(
  { db }: CommandDependencies,
  { params: { id }, ...call }: Call<typeof contract.deleteBoard>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const { name } = await lockOwn(tx, call.caller, id);
    await store.deleteStoredBoard(tx, id);
    return recordAudit(tx, { ...event(call, { id, name }), action: 'delete' });
  });
}

async function lockOwn(tx: OpenTransaction, caller: AccountCaller, id: number): Promise<contract.Board> {
  const isOwn = await store.lockBoard(tx, { id, ownerId: caller.account.id });
  const [board] = isOwn ? await store.listVisibleBoards(tx, caller, id) : [];
  if (board === undefined) throw notFound();
  return board;
}

async function read(tx: OpenTransaction, caller: AccountCaller, id: number): Promise<contract.StoredBoard> {
  const [board] = await store.listVisibleBoards(tx, caller, id);
  if (board === undefined) throw notFound();
  return { ...board, unseen: await store.listUnseen(tx, id) };
}

/** The fields as they are stored. Who does not see the list of users keeps and removes people, and adds none. */
async function validFields(
  tx: OpenTransaction,
  caller: AccountCaller,
  { fields, stored }: { fields: store.BoardFields; stored: Pick<store.BoardFields, 'role_ids' | 'account_ids'> },
): Promise<store.BoardFields> {
  const { account } = caller;
  if (contract.readBoardQuery(fields.query) === null) throw new FieldErrors({ query: [contract.boardMessages.query] });
  const roleIds = await readShareRoles(tx, caller, { roleIds: fields.role_ids, stored: stored.role_ids });
  const accountIds = [...new Set(fields.account_ids)].filter((id) => id !== account.id).toSorted((a, b) => a - b);
  const added = accountIds.filter((id) => !stored.account_ids.includes(id));
  if (added.length > 0 && !holdsAny(account.permissions, accountListPermissions))
    throw new FieldErrors({ account_ids: [contract.boardMessages.others] });
  const known = await store.listStaffIds(tx, added);
  const unknown = added.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new FieldErrors({ account_ids: [unknownIdMessage('account_ids', unknown)] });
  return { name: fields.name, query: fields.query, role_ids: roleIds, account_ids: accountIds };
}

function event(
  { caller, request }: Pick<Call<typeof contract.deleteBoard>, 'caller' | 'request'>,
  { id, name }: { id: number; name: string },
) {
  return { actor: caller.account, entity: 'board', id, label: name, request } as const;
}

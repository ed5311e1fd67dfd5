import {
  viewAsMessages,
  viewAsMinutes,
  type BegunView,
  type stopViewAs,
  type viewAsAccount,
  type viewAsRole,
  type ViewedSubject,
} from '@switchyard/contract/view-as';
import { commonScope, isEmptyScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, recordAudits, transaction, type AuditEvent, type OpenTransaction } from '../../database/transaction.ts';
import { conflict, notFound, unauthorized } from '../../errors.ts';
import type { AccountCall, AccountCaller, Call, SessionCaller } from '../../http/bind.ts';
import { lockCaller } from '../credentials/caller-lookup.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';
import {
  deleteExpiredViews,
  deleteViewOf,
  findSubject,
  insertView,
  lockSession,
  type EndedView,
  type StoredSubject,
} from './view-as-store.ts';
import { newViewAsToken } from './view-as-token.ts';

export type ViewAsDependencies = {
  db: Databases['db'];
  now: () => Date;
  /** Reads the caller of a new view that the transaction has inserted. */
  findCaller: (tx: OpenTransaction, token: string) => Promise<AccountCaller | null>;
};

/**
 * Begins a view of the console as a role or as an account, and ends the one that the session had. Throws 401 if the session has ended
 * meanwhile, 409 while another call of the session begins one, and 404 for an unknown role or account, and for an account that shares no app with a restricted caller.
 */
export async function beginView(
  { db, now, findCaller }: ViewAsDependencies,
  kind: ViewedSubject['kind'],
  { params: { id }, caller, request }: Call<typeof viewAsRole | typeof viewAsAccount>,
): Promise<BegunView> {
  const { sessionId } = caller.by;
  const accessToken = newViewAsToken();
  const moment = now();
  const expiresAt = new Date(moment.getTime() + viewAsMinutes * 60_000);
  return transaction(db, async (tx) => {
    if (!(await lockSession(tx, sessionId))) throw conflict(viewAsMessages.isStarting);
    if (!(await lockCaller(tx, caller))) throw unauthorized();
    const found = await findSubject(tx, kind, id);
    if (!found || !sees(caller, found)) throw notFound();
    const endedView = await deleteViewOf(tx, sessionId);
    const viewId = await insertView(tx, { tokenHash: tokenHash(accessToken), sessionId, subject: found.subject, now: moment, expiresAt });
    const { name: label } = found.subject;
    const begin: AuditEvent = {
      actor: caller.account,
      entity: 'view_as',
      action: 'begin',
      id: viewId,
      label,
      request,
      changes: [
        { field: 'kind', from: null, to: kind },
        { field: 'viewed_id', from: null, to: id },
        { field: 'expires_at', from: null, to: expiresAt.toISOString() },
      ],
    };
    const ends = endedView ? [isOver(endedView, moment) ? expiryOf(endedView) : endOf(endedView, { caller, request })] : [];
    // Within the transaction: the next call of the session ends this view.
    const view = await findCaller(tx, accessToken);
    if (!view) throw unauthorized();
    const { subject } = found;
    return recordAudits(tx, [...ends, begin], { user: view.account, token: { accessToken, expiresAt: expiresAt.getTime() }, subject });
  });
}

/** Ends the view that the current session began. Throws 404 if it is over already. */
export async function stopView(
  { db, now }: Pick<ViewAsDependencies, 'db' | 'now'>,
  { caller, request }: Call<typeof stopViewAs>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const endedView = await deleteViewOf(tx, caller.by.sessionId);
    if (!endedView || isOver(endedView, now())) throw notFound();
    return recordAudit(tx, endOf(endedView, { caller, request }));
  });
}

/** Deletes views whose time is over. Their entries name nobody: the begin has the viewer under the same id. */
export async function endExpiredViews(db: Databases['opsDb'], now: Date): Promise<void> {
  await transaction(db, async (tx) => recordAudits(tx, (await deleteExpiredViews(tx, now)).map(expiryOf), undefined));
}

function isOver({ expiresAt }: EndedView, now: Date): boolean {
  return expiresAt <= now;
}

/** The end of a view by its time, which was before the entry. */
function expiryOf({ id, name: label, expiresAt }: EndedView): AuditEvent {
  const changes = [{ field: 'expires_at', from: expiresAt.toISOString(), to: null }];
  return { actor: null, entity: 'view_as', action: 'end', id, label, request: null, changes };
}

function endOf({ id, name: label }: EndedView, { caller, request }: AccountCall): AuditEvent {
  return { actor: caller.account, entity: 'view_as', action: 'end', id, label, request };
}

/** Whether a caller may know of a role or an account: restricted callers know of themselves and of accounts with which they share an app. */
function sees({ scope, account }: SessionCaller, { subject, apps }: StoredSubject): boolean {
  return scope === 'all' || apps === null || subject.id === account.id || !isEmptyScope(commonScope(apps, scope));
}

import { type AppScope, coversApps } from '@switchyard/contract/app-scope';
import { wireDate } from '@switchyard/contract/dates';
import { markLimits, markMessages, type createNote as createCall, type deleteNote as deleteCall } from '@switchyard/contract/marks';
import type { AuditChange } from '@switchyard/contract/audit';
import type { Databases } from '../../database/connect.ts';
import { lockAccount } from '../../database/lock-account.ts';
import { changesBetween, recordAudit, transaction, type AuditEvent } from '../../database/transaction.ts';
import { deleteRow } from '../../entities/entity-store.ts';
import { FieldErrors, forbidden, notFound } from '../../errors.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import { countNotes, insertNote, isSubject, lockNote, type Note, type NoteReader } from './notes-store.ts';

export type NoteDependencies = { db: Databases['db']; now: () => Date };

const dayMilliseconds = 86_400_000;

/** The notes that a caller may see. */
export function noteReader({ account, scope }: AccountCaller): NoteReader {
  return { scope, seesServers: account.permissions.includes('manager_settings_server') };
}

/** Whether a caller who sees a note may delete it: its author, or who may edit what it is about. */
export function mayDelete(note: Pick<Note, 'app_id' | 'server_id' | 'author_id'>, { account, scope }: AccountCaller): boolean {
  if (!account.permissions.includes('manager_app_edit')) return false;
  if (note.author_id === account.id) return true;
  if (note.server_id !== null) return account.permissions.includes('manager_settings_server');
  return coversApps(scope, appsOf(note));
}

/**
 * Writes a note. Throws 403 for one about all apps unless the caller sees them all, and for one about a server unless the caller may see
 * servers; 422 for unknown ids, a time that is too far away, and one note too many.
 */
export async function createNote({ db, now }: NoteDependencies, { body, caller, request }: Call<typeof createCall>) {
  const { text, app_id: appId, server_id: serverId } = body;
  const { scope, seesServers } = noteReader(caller);
  if (appId !== null && serverId !== null) throw new FieldErrors({ server_id: [markMessages.subject] });
  if (serverId !== null && !seesServers) throw forbidden();
  if (appId === null && serverId === null && scope !== 'all') throw forbidden(markMessages.allApps);
  return transaction(db, async (tx) => {
    await lockAccount(tx, caller.account.id);
    const today = now();
    if (appId !== null && !(coversApps(scope, [appId]) && (await isSubject(tx, 'app', appId))))
      throw new FieldErrors({ app_id: ['The selected app_id is invalid.'] });
    if (serverId !== null && !(await isSubject(tx, 'server', serverId)))
      throw new FieldErrors({ server_id: ['The selected server_id is invalid.'] });
    const at = body.at === null ? today : new Date(body.at);
    const ahead = (at.getTime() - today.getTime()) / dayMilliseconds;
    if (ahead > markLimits.daysAhead || ahead < -markLimits.daysBefore) throw new FieldErrors({ at: [markMessages.time] });
    if ((await countNotes(tx, caller.account.id)) >= markLimits.notes) throw new FieldErrors({ text: [markMessages.tooMany] });
    const fields = { text, at, app_id: appId, server_id: serverId };
    const id = await insertNote(tx, { ...fields, author_id: caller.account.id }, today);
    const changes = changesBetween({}, { text, at: wireDate(at), server_id: serverId });
    return recordAudit(tx, noteEvent({ id, ...fields }, 'create', { caller, request, changes }), { id });
  });
}

/** Deletes a note. Throws 404 for one that the caller does not see, and 403 for one that somebody else manages. */
export async function deleteNote({ db }: NoteDependencies, { params: { id }, caller, request }: Call<typeof deleteCall>): Promise<void> {
  await transaction(db, async (tx) => {
    const note = await lockNote(tx, noteReader(caller), id);
    if (note === undefined) throw notFound();
    if (!mayDelete(note, caller)) throw forbidden();
    await deleteRow(tx, 'notes', id);
    return recordAudit(tx, noteEvent(note, 'delete', { caller, request, changes: [] }));
  });
}

function noteEvent(
  { id, text, app_id: appId }: Pick<Note, 'id' | 'text' | 'app_id'>,
  action: 'create' | 'delete',
  { caller, ...call }: { caller: AccountCaller; request: AuditEvent['request']; changes: readonly AuditChange[] },
): AuditEvent {
  const event = { actor: caller.account, action, id, label: text, ...call } as const;
  return appId === null ? { ...event, entity: 'note' } : { ...event, entity: 'app_note', appId };
}

function appsOf({ app_id: appId }: Pick<Note, 'app_id'>): AppScope {
  return appId === null ? 'all' : [appId];
}

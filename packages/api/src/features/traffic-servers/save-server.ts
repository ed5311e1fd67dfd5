import { serverMessages } from '@switchyard/contract/server-rules';
import type { CreateServerBody, SaveServerBody, TrafficServer } from '@switchyard/contract/traffic-servers';
import type { SecretBox, SecretPlace } from '../../adapters/secret-box.ts';
import type { Databases } from '../../database/connect.ts';
import { brokenUniqueIndex } from '../../database/database-errors.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, forbidden, notFound, stale } from '../../errors.ts';
import type { AccountCaller, Draft, RequestContext } from '../../http/bind.ts';
import { changesBetween, recordAudit, secretChange } from '../audit/record-audit-lookup.ts';
import { hashOfToken, secretPlaces, tokenColumns, toTrafficServer } from './server-mapper.ts';
import { findServer, type StoredServer } from './servers-read-model.ts';
import { insertServer, inTransaction, isTokenUsed, lockServer, removeServer, setSecrets, updateServer } from './servers-store.ts';

type Deps = { db: Databases['db']; secretBox: SecretBox; now: () => Date };
type Call = { caller: AccountCaller; request: RequestContext };

/** Adds a traffic server (api [65]). Refuses a caller without all apps with 403 (O36), then bad fields and a token in use with 422. */
export async function createServer(
  deps: Deps,
  { body, caller, request }: Call & { body: Draft<CreateServerBody> },
): Promise<TrafficServer> {
  requireAllApps(caller);
  return writing(deps, async (tx) => {
    const sent = body.judge(await tokenErrors(tx, body.fields.token, null));
    const now = deps.now();
    const plain = { name: sent.name, url: sent.url, region: sent.region ?? null, ip: sent.ip ?? null };
    const id = await insertServer(tx, { ...plain, now });
    const secrets = newSecrets(deps, await reread(tx, id), sent, now);
    await setSecrets(tx, id, secrets.columns);
    const changes = [...changesBetween({}, plain), ...secrets.changed.map(secretChange)];
    const names = { entityId: id, entityLabel: sent.name };
    await recordAudit(tx, { actor: caller.account, entity: 'server', action: 'create', ...names, request, changes });
    return toTrafficServer(await reread(tx, id));
  });
}

/**
 * Changes what was sent of a server (api [67]). Refuses, in this order: 404, 412 when `mayOverwrite` does not hold of the
 * stored version, 403 when a caller without all apps changes what decides whose traffic the server is (O36), 422 for bad
 * values. What changes nothing keeps the version. A new token replaces the old one at once.
 */
export async function saveServer(
  deps: Deps,
  {
    id,
    body,
    caller,
    mayOverwrite,
    request,
  }: Call & { id: number; body: Draft<SaveServerBody>; mayOverwrite: (version: number) => boolean },
): Promise<TrafficServer> {
  return writing(deps, async (tx) => {
    const before = await lockServer(tx, id);
    if (!before) throw notFound();
    if (!mayOverwrite(before.version)) throw stale(toTrafficServer(before));
    if (changesGuarded(before, body.fields)) requireAllApps(caller);
    const sent = body.judge(await tokenErrors(tx, body.fields.token, id));
    const now = deps.now();
    const { name = before.name, url = before.url, region = before.region, ip = before.ip } = sent;
    const plain = { name, url, region, ip };
    const secrets = newSecrets(deps, before, sent, now);
    const changes = [...changesBetween(plainFields(before), plain), ...secrets.changed.map(secretChange)];
    if (changes.length === 0) return toTrafficServer(before);
    await updateServer(tx, { id, columns: { ...plain, ...secrets.columns }, now });
    const names = { entityId: id, entityLabel: name };
    await recordAudit(tx, { actor: caller.account, entity: 'server', action: 'update', ...names, request, changes });
    return toTrafficServer(await reread(tx, id));
  });
}

/** Deletes a server with its links; its token is refused from now on (api [68], AMB-197). Refuses with 404 when there is none, then 403 (O36). */
export async function deleteServer(deps: Deps, { id, caller, request }: Call & { id: number }): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const server = await lockServer(tx, id);
    if (!server) throw notFound();
    requireAllApps(caller);
    const links = await removeServer(tx, id, deps.now());
    await recordAudit(tx, {
      actor: caller.account,
      entity: 'server',
      action: 'delete',
      entityId: id,
      entityLabel: server.name,
      request,
      changes: [
        ...Object.entries(plainFields(server)).map(([field, from]) => ({ field, from, to: null })),
        { field: 'links', from: links, to: [] },
      ],
    });
  });
}

/** A server serves every app: its token reads their keys and hands in traffic for all of them (O36). */
function requireAllApps({ scope }: AccountCaller): void {
  if (scope !== 'all') throw forbidden();
}

/** Whether a form sets a secret, even to what is stored, or changes where the server is. */
function changesGuarded(before: StoredServer, { url = before.url, ip = before.ip, ...sent }: SentGuarded): boolean {
  const setsSecret = [sent.token, sent.mainHash, sent.hash].some((secret) => typeof secret === 'string');
  return setsSecret || url !== before.url || ip !== before.ip;
}

/** Of two writes with one token at the same moment the index refuses the second (O34). */
async function writing(deps: Deps, write: (tx: OpenTransaction) => Promise<TrafficServer>): Promise<TrafficServer> {
  try {
    return await inTransaction(deps.db, write);
  } catch (error) {
    throw brokenUniqueIndex(error) === 'traffic_servers_token_key' ? new FieldErrors({ token: [serverMessages.tokenTaken] }) : error;
  }
}

async function tokenErrors(
  tx: OpenTransaction,
  token: string | null | undefined,
  exceptId: number | null,
): Promise<Record<string, string>> {
  if (typeof token !== 'string' || !(await isTokenUsed(tx, hashOfToken(token), exceptId))) return {};
  return { token: serverMessages.tokenTaken };
}

type SentSecrets = Pick<SaveServerBody, 'token' | 'mainHash' | 'hash'>;
type SentGuarded = Readonly<Partial<Pick<SaveServerBody, 'url' | 'ip'> & SentSecrets>>;

/** Columns of the secrets that differ from the stored ones, and their names on the wire. */
function newSecrets({ secretBox }: Pick<Deps, 'secretBox'>, before: StoredServer, sent: SentSecrets, now: Date) {
  const places = secretPlaces(before.id);
  const token = typeof sent.token === 'string' && before.token_hash?.equals(hashOfToken(sent.token)) !== true ? sent.token : null;
  const mainHash = replaced(secretBox, places.mainHash, before.main_hash_sealed, sent.mainHash);
  const hash = replaced(secretBox, places.hash, before.hash_sealed, sent.hash);
  return {
    columns: {
      ...(token === null ? {} : { ...tokenColumns(token), token_set_at: now }),
      ...(mainHash === null ? {} : { main_hash_sealed: mainHash, main_hash_set_at: now }),
      ...(hash === null ? {} : { hash_sealed: hash, hash_set_at: now }),
    },
    changed: [...(token === null ? [] : ['token']), ...(mainHash === null ? [] : ['mainHash']), ...(hash === null ? [] : ['hash'])],
  };
}

/** The new secret sealed; null when none was sent or it is the stored one. */
function replaced(box: SecretBox, place: SecretPlace, stored: string | null, sent: string | null | undefined): string | null {
  if (typeof sent !== 'string') return null;
  return stored !== null && box.open(stored, place) === sent ? null : box.seal(sent, place);
}

/** What the audit trail tells of a server besides its secrets. */
function plainFields({ name, url, region, ip }: StoredServer): Record<string, unknown> {
  return { name, url, region, ip };
}

async function reread(tx: OpenTransaction, id: number): Promise<StoredServer> {
  const server = await findServer(tx, id);
  if (!server) throw new Error(`Server ${id} vanished inside its own transaction`);
  return server;
}

import { serverMessages } from '@switchyard/contract/server-rules';
import type * as contract from '@switchyard/contract/traffic-servers';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import type { SecretPlace } from '../../adapters/secret-box.ts';
import type { Databases } from '../../database/connect.ts';
import { brokenUniqueIndex } from '@switchyard/traffic-store/database-errors';
import { FieldErrors, forbidden, notFound, stale } from '../../errors.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import {
  changesBetween,
  existing,
  recordAudit,
  secretChange,
  transaction,
  unchanged,
  type OpenTransaction,
} from '../../database/transaction.ts';
import { insertRow, updateColumns, updateRow } from '../../entities/entity-store.ts';
import type { SealSecret } from '../../secret-keys/seal-secret.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';
import { tokenColumns } from './server-token-lookup.ts';
import { deleteStoredServer, findServer, isTokenUsed, lockServer, toTrafficServer, type StoredServer } from './servers-store.ts';

export type ServerDependencies = { db: Databases['db']; sealSecret: SealSecret; readSecret: ReadSecret; now: () => Date };

/** Adds a traffic server. Throws 403 if the caller does not see all apps, then 422 for invalid fields and a used token. */
export async function createServer(
  deps: ServerDependencies,
  { body, caller, request }: Call<typeof contract.createServer>,
): Promise<contract.TrafficServer> {
  requireAllApps(caller);
  return transaction(deps.db, async (tx) => {
    const fields = body.validate(await tokenErrors(tx, body.fields.token, null));
    const now = deps.now();
    const plain = { name: fields.name, url: fields.url, region: fields.region ?? null, ip: fields.ip ?? null };
    const id = await insertRow(tx, 'traffic_servers', plain, now);
    const secrets = await newSecrets(tx, deps, { before: existing(await findServer(tx, id)), secrets: fields, now });
    await updateColumns(tx, 'traffic_servers', id, secrets.columns);
    const changes = [...changesBetween({}, plain), ...secrets.changed.map(secretChange)];
    const event = { actor: caller.account, entity: 'server', action: 'create', id, label: fields.name, request, changes } as const;
    return recordAudit(tx, event, toTrafficServer(existing(await findServer(tx, id))));
  }).catch(rejectUsedToken);
}

/**
 * Changes the fields of a server that were sent. Rejects, in this order: an unknown server with 404, a version that
 * `matchesIfMatch` does not allow with 412, a secret or an address from a caller who does not see all apps with 403, invalid
 * values with 422. A call that changes nothing keeps the version. A new token replaces the old one at once.
 */
export async function saveServer(
  deps: ServerDependencies,
  { params: { id }, body, caller, matchesIfMatch, request }: Call<typeof contract.saveServer>,
): Promise<contract.TrafficServer> {
  return transaction(deps.db, async (tx) => {
    const before = await lockServer(tx, id);
    if (!before) throw notFound();
    if (!matchesIfMatch(before.version)) throw stale(toTrafficServer(before));
    if (changesGuarded(before, body.fields)) requireAllApps(caller);
    const fields = body.validate(await tokenErrors(tx, body.fields.token, id));
    const now = deps.now();
    const { name = before.name, url = before.url, region = before.region, ip = before.ip } = fields;
    const plain = { name, url, region, ip };
    const secrets = await newSecrets(tx, deps, { before, secrets: fields, now });
    const changes = [...changesBetween(plainFields(before), plain), ...secrets.changed.map(secretChange)];
    if (changes.length === 0) return unchanged(toTrafficServer(before));

    await updateRow(tx, 'traffic_servers', id, { ...plain, ...secrets.columns }, now);
    const event = { actor: caller.account, entity: 'server', action: 'update', id, label: name, request, changes } as const;
    return recordAudit(tx, event, toTrafficServer(existing(await findServer(tx, id))));
  }).catch(rejectUsedToken);
}

/**
 * Deletes a server with its links; its token is rejected from then on. Throws 404 for an unknown server, then 403 if the caller
 * does not see all apps.
 */
export async function deleteServer(
  deps: ServerDependencies,
  { params: { id }, caller, request }: Call<typeof contract.deleteServer>,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const server = await lockServer(tx, id);
    if (!server) throw notFound();
    requireAllApps(caller);
    const links = await deleteStoredServer(tx, id, deps.now());
    const fields = Object.entries(plainFields(server)).map(([field, from]) => ({ field, from, to: null }));
    const changes = [...fields, { field: 'links', from: links, to: [] }];
    return recordAudit(tx, { actor: caller.account, entity: 'server', action: 'delete', id, label: server.name, request, changes });
  });
}

/** A server serves every app: its token reads their keys and delivers traffic for all of them. */
function requireAllApps({ scope }: AccountCaller): void {
  if (scope !== 'all') throw forbidden();
}

/** Whether a form sets a secret, even to the stored value, or changes the address of the server. */
function changesGuarded(before: StoredServer, { url = before.url, ip = before.ip, ...secrets }: SentGuarded): boolean {
  const setsSecret = [secrets.token, secrets.mainHash, secrets.hash].some((secret) => typeof secret === 'string');
  return setsSecret || url !== before.url || ip !== before.ip;
}

/** The unique index rejects the second of two commands that set one token at the same moment. */
function rejectUsedToken(error: unknown): never {
  throw brokenUniqueIndex(error) === 'traffic_servers_token_key' ? new FieldErrors({ token: [serverMessages.tokenTaken] }) : error;
}

async function tokenErrors(
  tx: OpenTransaction,
  token: string | null | undefined,
  exceptId: number | null,
): Promise<Record<string, string>> {
  if (typeof token !== 'string' || !(await isTokenUsed(tx, tokenHash(token), exceptId))) return {};
  return { token: serverMessages.tokenTaken };
}

type SecretDependencies = Pick<ServerDependencies, 'sealSecret' | 'readSecret'>;
type SentSecrets = Pick<contract.SaveServerBody, 'token' | 'mainHash' | 'hash'>;
type SentGuarded = Readonly<Partial<Pick<contract.SaveServerBody, 'url' | 'ip'> & SentSecrets>>;

/** The columns in which a server's secrets are sealed. */
function secretPlaces(id: number): { mainHash: SecretPlace; hash: SecretPlace } {
  const table = 'traffic_servers';
  return { mainHash: { table, column: 'main_hash_sealed', id }, hash: { table, column: 'hash_sealed', id } };
}

/** Columns of the secrets that differ from the stored ones, and their names on the wire. */
async function newSecrets(
  tx: OpenTransaction,
  deps: SecretDependencies,
  { before, secrets, now }: { before: StoredServer; secrets: SentSecrets; now: Date },
) {
  const places = secretPlaces(before.id);
  const token = typeof secrets.token === 'string' && before.token_hash?.equals(tokenHash(secrets.token)) !== true ? secrets.token : null;
  const mainHash = await reseal(tx, deps, { place: places.mainHash, sealedSecret: before.main_hash_sealed, text: secrets.mainHash });
  const hash = await reseal(tx, deps, { place: places.hash, sealedSecret: before.hash_sealed, text: secrets.hash });
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
async function reseal(
  tx: OpenTransaction,
  { sealSecret, readSecret }: SecretDependencies,
  { place, sealedSecret, text }: { place: SecretPlace; sealedSecret: string | null; text: string | null | undefined },
): Promise<string | null> {
  if (typeof text !== 'string') return null;
  return sealedSecret !== null && readSecret(sealedSecret, place) === text ? null : sealSecret(tx, text, place);
}

/** The fields of a server in the audit trail besides its secrets. */
export function plainFields({ name, url, region, ip }: StoredServer): Record<string, unknown> {
  return { name, url, region, ip };
}

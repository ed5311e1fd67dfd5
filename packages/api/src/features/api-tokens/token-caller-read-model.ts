import { isInNetworks } from '@switchyard/contract/ip-network';
import { coalesce } from '../../coalesce.ts';
import type { Databases } from '../../database/connect.ts';
import { isStorageFull } from '../../database/database-errors.ts';
import { unauditedStatement } from '../../database/transaction.ts';
import type { TokenCaller } from '../../http/bind.ts';
import { callerColumns, heldRoles, type CallerRow } from '../callers/caller-lookup.ts';
import { toTokenCaller, type TokenGrant } from './token-rights.ts';

type TokenRow = CallerRow & TokenGrant & { token_hash: Buffer; networks: string[]; is_long_unwritten: boolean };

/** One statement for many requests: the live tokens with the current rights of their owners. */
const tokenQuery = `
select t.token_hash, t.id as token_id, t.name as token_name, t.permission_ids as token_permission_ids, t.all_apps as token_has_all_apps,
  t.app_ids as token_app_ids, t.networks, coalesce(t.last_used_at <= $3, true) as is_long_unwritten, ${callerColumns}
from api_tokens t join accounts a on a.id = t.owner_id
${heldRoles}
where t.token_hash = any($1::bytea[]) and (t.expires_at is null or t.expires_at > $2) and a.has_access and a.deleted_at is null
  and ($4 or not a.is_demo)`;

/** Skips rows that another process has locked, so that batches neither wait for each other nor deadlock. */
const useStatement = `
update api_tokens t set last_used_at = $3, last_used_ip = u.ip
from unnest($1::integer[], $2::text[]) as u (id, ip)
where t.id = u.id and t.id in (
  select id from api_tokens where id = any($1) and (last_used_at is null or last_used_at <= $4) for update skip locked)`;

/** The shortest time between two writes of the use of a token, in milliseconds. */
const writeInterval = 60_000;

/** The caller behind a token's hash; null when it is unknown, expired or used from a wrong network, or its owner may not sign in. */
export type FindTokenCaller = (hash: Buffer, ip: string) => Promise<TokenCaller | null>;

/**
 * Looks up the callers of API tokens, as `createCallerLookup` does those of sessions: concurrent lookups share a query, which
 * begins after they were asked for, and the use is written at most once a minute and not while the storage is full.
 */
export function createTokenLookup({
  pool,
  now,
  demoIsOn,
  onWrongNetwork,
}: {
  pool: Databases['pools']['sessions'];
  now: () => Date;
  demoIsOn: boolean;
  onWrongNetwork: (use: { token_id: number; ip: string }) => void;
}): FindTokenCaller {
  const instants = () => {
    const moment = now();
    return { moment: moment.toISOString(), writtenBefore: new Date(moment.getTime() - writeInterval).toISOString() };
  };
  const lookUp = coalesce(async (hashes: readonly string[]) => {
    const { moment, writtenBefore } = instants();
    const values = [[...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex')), moment, writtenBefore, demoIsOn];
    const { rows } = await pool.query<TokenRow>({ name: 'token-callers', text: tokenQuery, values });
    return new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
  });
  const writeUse = coalesce(async (uses: readonly { id: number; ip: string }[]) => {
    const { moment, writtenBefore } = instants();
    const byId = [...new Map(uses.map((use) => [use.id, use])).values()];
    const values = [byId.map(({ id }) => id), byId.map(({ ip }) => ip), moment, writtenBefore];
    await unauditedStatement('the last use of a token is no change by anybody', pool)
      .query({ name: 'tokens-used', text: useStatement, values })
      .catch((error: unknown) => {
        if (!isStorageFull(error)) throw error;
      });
  });

  return async (hash, ip) => {
    const key = hash.toString('hex');
    const row = (await lookUp(key)).get(key);
    if (!row) return null;
    if (row.networks.length > 0 && !isInNetworks(ip, row.networks)) {
      onWrongNetwork({ token_id: row.token_id, ip });
      return null;
    }
    if (row.is_long_unwritten) await writeUse({ id: row.token_id, ip });
    return toTokenCaller(row);
  };
}

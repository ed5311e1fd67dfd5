import { isInNetworks } from '@switchyard/contract/ip-network';
import type { Databases } from '../../database/connect.ts';
import type { TokenCaller } from '../../http/bind.ts';
import { callerColumns, heldRoles, mayAct, type CallerRow } from '../credentials/caller-lookup.ts';
import { createCredentialLookup, createUseWriter } from '../credentials/credential-lookup.ts';
import { toTokenCaller, type TokenGrant } from './token-rights.ts';
import { grantColumns, isUnexpired } from './token-holders-lookup.ts';
import { isApiToken } from './token-secret.ts';

type TokenRow = CallerRow & TokenGrant & { token_hash: Buffer; networks: string[]; is_long_unwritten: boolean };

/** One statement for many requests: the live tokens with the current rights of their owners. */
const tokenQuery = `
select t.token_hash, ${grantColumns}, t.networks, coalesce(t.last_used_at <= $3, true) as is_long_unwritten, ${callerColumns}
from api_tokens t join accounts a on a.id = t.owner_id
${heldRoles}
where t.token_hash = any($1::bytea[]) and ${isUnexpired('$2')} and ${mayAct('$4')}`;

const useStatement = `
update api_tokens t set last_used_at = $3, last_used_ip = u.ip
from unnest($1::integer[], $2::text[]) as u (id, ip)
where t.id = u.id and t.id in (
  select id from api_tokens where id = any($1) and (last_used_at is null or last_used_at <= $4) for update skip locked)`;

/** The shortest time between two writes of the use of a token, in milliseconds. */
const writeInterval = 60_000;

/**
 * Looks up the callers behind API tokens; null when the token is unknown, expired or used from a wrong network, or its owner may
 * not sign in. A wrong checksum costs no query. The use is written at most once a minute.
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
}): (token: string, ip: string) => Promise<TokenCaller | null> {
  const instants = (): [now: Date, writtenBefore: Date] => {
    const moment = now();
    return [moment, new Date(moment.getTime() - writeInterval)];
  };
  const findRow = createCredentialLookup<TokenRow>(pool, {
    name: 'token-callers',
    text: tokenQuery,
    values: () => [...instants(), demoIsOn],
  });
  const writeUse = createUseWriter<{ id: number; ip: string }>(pool, {
    name: 'tokens-used',
    text: useStatement,
    values: (uses) => [uses.map(({ id }) => id), uses.map(({ ip }) => ip), ...instants()],
  });

  return async (token, ip) => {
    const row = isApiToken(token) ? await findRow(token) : undefined;
    if (!row) return null;
    if (row.networks.length > 0 && !isInNetworks(ip, row.networks)) {
      onWrongNetwork({ token_id: row.token_id, ip });
      return null;
    }
    if (row.is_long_unwritten) await writeUse({ id: row.token_id, ip });
    return toTokenCaller(row);
  };
}

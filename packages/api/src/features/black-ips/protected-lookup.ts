import { createProtection, type ProtectedEntry } from '@switchyard/contract/black-list-entry';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { canonicalNetwork } from '@switchyard/contract/ip-network';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { listServers } from './black-ips-store.ts';

export type ProtectionDeps = {
  /** Addresses of this machine, and of the console if its URL has one. */
  ownAddresses: () => readonly string[];
  /** `PROTECTED_NETWORKS`. */
  protectedNetworks: readonly string[];
};

/** What must not be black-listed by this caller: the console, traffic servers, the caller and the networks of the settings. */
export async function findProtection(
  db: Kysely<Tables>,
  { ownAddresses, protectedNetworks }: ProtectionDeps,
  readerIp: string,
): Promise<(entry: string) => string | null> {
  const servers = await listServers(db);
  const reader = canonicalIp(readerIp);
  return createProtection([
    ...entriesOf(protectedNetworks),
    ...servers.map(({ ip, name }): ProtectedEntry => ({ entry: ip, words: `the address of the traffic server ${name}` })),
    ...ownAddresses().map((entry): ProtectedEntry => ({ entry, words: 'an address of this console' })),
    ...(reader === null ? [] : [{ entry: reader, words: 'your own address' }]),
  ]);
}

/** As `findProtection`, of the networks of the settings alone. */
export function createNetworkProtection({
  protectedNetworks,
}: Pick<ProtectionDeps, 'protectedNetworks'>): (entry: string) => string | null {
  return createProtection(entriesOf(protectedNetworks));
}

function entriesOf(protectedNetworks: readonly string[]): ProtectedEntry[] {
  const networks = protectedNetworks.flatMap((network) => canonicalNetwork(network) ?? []);
  return networks.map((entry) => ({ entry, words: `the protected ${entry.includes('/') ? 'network' : 'address'} ${entry}` }));
}

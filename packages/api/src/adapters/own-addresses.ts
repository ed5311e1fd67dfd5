import { canonicalIp } from '@switchyard/contract/ip-address';
import { networkInterfaces } from 'node:os';

/** Addresses at which this machine is reached, in canonical form, and that of the console's URL where its host is one. */
export function ownAddresses(appUrl: string): string[] {
  const here = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const host = new URL(appUrl).hostname.replace(/^\[|\]$/g, '');
  return [...new Set([...here.map(({ address }) => address), host].flatMap((address) => canonicalIp(address) ?? []))];
}

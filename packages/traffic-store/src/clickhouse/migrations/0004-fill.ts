/**
 * Systems of addresses, for events that were stored before systems were. A table in memory, because a statement that updates events asks
 * it for each of them. Not on clusters, where every server would have to have it.
 */
export function addFill(cluster: string | null): string[] {
  return cluster === null ? ['create table if not exists asn_of_addresses (ip IPv6, asn String) engine = Join(any, left, ip)'] : [];
}

import { isIPv4 } from 'node:net';
import type { EventFilter, EventSearch } from '../../event-store.ts';
import { mayMatchAll } from '../../list/match-all.ts';
import { weekOf } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { countedConditions, dateOf, where, withoutDots } from '../event-conditions.ts';
import { newParameters, type Parameters, using } from '../statement.ts';

/**
 * SQL of the number of the filter's apps of which a search leaves out some event, by their extents in the weeks of the filter. Zero: the
 * search matches everything that the rest of the filter does.
 */
export function appsNotMatched({ scope, search = [], from, until }: EventFilter, parameters: Parameters): string {
  const week = '_partition_value.1';
  const conditions = [
    ...countedConditions({ scope }, parameters),
    ...(from === undefined ? [] : [`${week} >= ${dateOf(weekOf(from), parameters)}`]),
    ...(until === undefined ? [] : [`${week} <= ${dateOf(weekOf(until - 1), parameters)}`]),
  ];
  const matches = search.map((one) => matchesAll(one, parameters)).join(' or ');
  return `select count() from (select app_id from events ${where(conditions)} group by app_id having not (${matches}) ${using('by_app')})`;
}

/** Whether a search matches everything now. What is read then has to ask again, because the next event may be the first that does not match. */
export async function findsAll(engine: EngineClient, filter: EventFilter): Promise<boolean> {
  if (!mayMatchAll(filter)) return false;
  const parameters = newParameters();
  return (await engine.lines({ text: appsNotMatched(filter, parameters), parameters }))[0] === '0';
}

/** A range of IPv6 addresses does not match the IPv4 addresses that are stored among them. */
const noneIsMapped = `(max(ip) < toIPv6('::ffff:0.0.0.0') or min(ip) > toIPv6('::ffff:255.255.255.255'))`;

function matchesAll(search: EventSearch, parameters: Parameters): string {
  if (search.kind === 'ip-range') {
    const [first, last] = [search.first, search.last].map((address) => `toIPv6(${parameters.add(address, 'String')})`);
    return `(min(ip) >= ${first} and max(ip) <= ${last}${isIPv4(search.first) ? '' : ` and ${noneIsMapped}`})`;
  }
  const prefix = `lowerUTF8(${parameters.add(withoutDots(search.prefix), 'String')})`;
  return `(startsWith(min(client_key), ${prefix}) and startsWith(max(client_key), ${prefix}))`;
}

import { botLabel, botLabels } from '@switchyard/contract/requests';
import type { DeliveryKind, PlaceFilter } from '../../delivery-store.ts';
import type { BotLabels } from '../../event-store.ts';
import type { Parameters } from '../event-conditions.ts';
import { placeTables } from './place-days.ts';

/** SQL of the place of a delivery called `kept`, as an object or null. */
export function placeColumn(kind: DeliveryKind): string {
  return `(select json_build_object('country', country, 'asn', asn, 'serverId', server_id, 'bot', bot)
    from ${placeTables[kind].places} as place where place.id = kept.id) as place`;
}

/** Whether a filter asks for places, which roll-ups of deliveries do not know. */
export function asksForPlace({ countries, countriesNot, asns, asnsNot, bots, botsNot, furtherBots, servers }: PlaceFilter): boolean {
  return [countries, countriesNot, asns, asnsNot, bots, botsNot, furtherBots?.[0], servers].some((part) => part !== undefined);
}

/** SQL conditions of a filter on places. A delivery without a place is one with an unknown country and system, and without labels. */
export function placeConditions(kind: DeliveryKind, filter: PlaceFilter, parameters: Parameters): string[] {
  const { deliveries, places } = placeTables[kind];
  return conditionsOf(
    (condition) => `exists (select from ${places} as place where place.id = ${deliveries}.id and ${condition})`,
    filter,
    parameters,
  );
}

/** The same for rows called `place` that have the columns of a place, where an unknown one has empty texts. */
export function countedPlaceConditions(filter: PlaceFilter, parameters: Parameters): string[] {
  return conditionsOf((condition) => `(${condition})`, filter, parameters);
}

/** `hasPlace` gives the condition that there is a place with a condition. */
function conditionsOf(hasPlace: (condition: string) => string, filter: PlaceFilter, parameters: Parameters): string[] {
  const { countries, countriesNot, asns, asnsNot, bots, botsNot, furtherBots = [], servers } = filter;
  const hasValue = (column: 'country' | 'asn', values: readonly string[]): string => {
    const known = values.filter((value) => value !== '');
    return anyOf([
      ...(known.length > 0 ? [hasPlace(`place.${column} = any(${parameters.add(known)}::text[])`)] : []),
      ...(known.length < values.length ? [`not ${hasPlace(`place.${column} <> ''`)}`] : []),
    ]);
  };
  const hasLabel = ({ labels, none, blocking = false }: BotLabels): string =>
    anyOf([
      ...(labels.length > 0 ? [hasPlace(`string_to_array(place.bot, ' ') && ${parameters.add(labels)}::text[]`)] : []),
      ...(blocking ? [hasPlace(`not string_to_array(place.bot, ' ') <@ ${parameters.add(harmlessLabels)}::text[]`)] : []),
      ...(none ? [`not ${hasPlace(`place.bot <> ''`)}`] : []),
    ]);
  return [
    ...(countries === undefined ? [] : [hasValue('country', countries)]),
    ...(countriesNot === undefined ? [] : [`not ${hasValue('country', countriesNot)}`]),
    ...(asns === undefined ? [] : [hasValue('asn', asns)]),
    ...(asnsNot === undefined ? [] : [`not ${hasValue('asn', asnsNot)}`]),
    ...(bots === undefined ? [] : [hasLabel(bots)]),
    ...(botsNot === undefined ? [] : [`not ${hasLabel(botsNot)}`]),
    ...furtherBots.map(hasLabel),
    ...(servers === undefined ? [] : [hasPlace(`place.server_id = any(${parameters.add(servers)}::integer[])`)]),
  ];
}

/** Any other label marks a bot, also an unknown one. */
const harmlessLabels = Object.keys(botLabels).filter((label) => !botLabel(label).blocks);

function anyOf(alternatives: readonly string[]): string {
  return `(${alternatives.length === 0 ? 'false' : alternatives.join(' or ')})`;
}

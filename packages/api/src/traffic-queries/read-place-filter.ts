import type { PlaceFilters } from '@switchyard/contract/delivery-place';
import type { PlaceFilter } from '@switchyard/traffic-store/delivery-store';
import { readValueParts } from '@switchyard/traffic-store/value-filters';
import { readBotLabels } from './read-event-filter.ts';

/** The filter on places that a query asks for. */
export function readPlaceFilter({ geo, geoNot, asn, asnNot, bot, botNot, serverId }: PlaceFilters): PlaceFilter {
  const { countries, countriesNot, asns, asnsNot } = readValueParts({ geo, geoNot, asn, asnNot });
  const bots = bot && readBotLabels(bot);
  return { countries, countriesNot, asns, asnsNot, bots, botsNot: botNot && readBotLabels(botNot), servers: serverId?.map(Number) };
}

import { z } from 'zod';
import { asnRow } from './asns.ts';
import { queryBoolean } from './listing.ts';
import { allRequestFilters, requestOrigin } from './requests.ts';

/** Where the client of a push or conversion was: as the request says that it is attributed to. */
export const deliveryPlace = z.object({
  country: z.string().nullable(),
  /** Null: the address belongs to no autonomous system, or it was not looked up. */
  asn: asnRow.nullable(),
  server: requestOrigin.shape.server,
  bot: z.string(),
});
export type DeliveryPlace = z.output<typeof deliveryPlace>;

/** The place of a row, present if `place` was asked for; null: it is not known. */
export const placeOfRow = { place: deliveryPlace.nullable().optional() };

/** Asks for the place of each row. */
export const placeQuery = { place: queryBoolean() };

/** Filters by place. */
export const placeFilters = {
  geo: allRequestFilters.geo.describe('Clients in any of these countries; `none` stands for an unknown one'),
  geoNot: allRequestFilters.geoNot.describe('What `geo` would not find'),
  asn: allRequestFilters.asn.describe(
    'Clients in any of these autonomous systems; `0` stands for addresses of none, `none` for an unknown system',
  ),
  asnNot: allRequestFilters.asnNot.describe('What `asn` would not find'),
  bot: allRequestFilters.bot.describe(
    'Clients with any of these labels; `none` stands for none, also where the place is unknown, `blocking` for any label that marks a bot',
  ),
  botNot: allRequestFilters.botNot.describe('What `bot` would not find'),
  serverId: allRequestFilters.appId.describe('Clients of any of these traffic servers'),
};
const placeFilterQuery = z.object(placeFilters);
export type PlaceFilters = z.output<typeof placeFilterQuery>;

/** Columns of a place in an export, behind all others, if `place` was asked for. The label texts are separated by spaces. */
export const placeExportColumns = ['country', 'asn', 'server_id', 'bot'] as const;

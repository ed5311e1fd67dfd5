import { anyPermission, csvFile, defineEndpoint } from './endpoint.ts';
import { csvFormat } from './csv-format.ts';
import { conversionSortKeys, conversionsQuery, defaultConversionSort } from './conversions.ts';
import { placeQuery } from './delivery-place.ts';
import { idParams, withKnownSort } from './listing.ts';
import { defaultPushSort, pushesQuery, pushSortKeys } from './pushes.ts';

/** Columns of a push export, in order. Dates are UTC. */
export const pushExportColumns = [
  'id',
  'push_id',
  'push_name',
  'push_message',
  'uid',
  'client_uid',
  'push_campaign_uid',
  'send_at_utc',
  'status',
  'error',
] as const;

/** Columns of a conversion export, in order. Dates are UTC, `is_send` is 1 or 0. */
export const conversionExportColumns = [
  'id',
  'source',
  'client_uid',
  'stream_uid',
  'click_id',
  'receive_apf_uid',
  'app_instance_id',
  'status_conversion',
  'payout',
  'status',
  'error',
  'is_send',
  'created_at_utc',
] as const;

const position = { page: true, limit: true } as const;

/** All rows of the Push tab as a file, with the filters and sort of the list. */
export const downloadPushes = defineEndpoint({
  number: 100,
  method: 'GET',
  path: 'apps/{id}/pushes/download',
  summary: "An app's pushes as CSV",
  access: anyPermission('manager_app_pushes'),
  params: idParams,
  query: withKnownSort(pushesQuery.omit(position).extend({ ...csvFormat, ...placeQuery }), pushSortKeys, defaultPushSort),
  answer: csvFile(pushExportColumns),
});

/** All rows of the Conversion tab as a file, with the filters and sort of the list. */
export const downloadConversions = defineEndpoint({
  number: 101,
  method: 'GET',
  path: 'apps/{id}/conversions/download',
  summary: "An app's conversions as CSV",
  access: anyPermission('manager_app_conversions'),
  params: idParams,
  query: withKnownSort(conversionsQuery.omit(position).extend({ ...csvFormat, ...placeQuery }), conversionSortKeys, defaultConversionSort),
  answer: csvFile(conversionExportColumns),
});

import type { AllRequestFilters, RequestFilters } from '@switchyard/contract/requests';
import type { ValueFilters } from './value-actions.ts';

/** Which filters of a list of requests find the values in its rows. */
export const requestValues: ValueFilters<RequestFilters> = {
  ip: { only: 'search', not: 'ipNot' },
  country: { only: 'geo', not: 'geoNot' },
  client: { only: 'clientId' },
  stream: { only: 'streamUid', not: 'streamUidNot' },
  type: { only: 'type', not: 'typeNot' },
  bot: { only: 'bot', not: 'botNot' },
  asn: { only: 'asn', not: 'asnNot' },
};

/** Values of requests of all apps. */
export const allRequestValues: ValueFilters<AllRequestFilters> = { ...requestValues, app: { only: 'appId' } };

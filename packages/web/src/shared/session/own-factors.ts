import { listOwnFactors, type OwnFactors } from '@switchyard/contract/second-factors';
import { call } from '../api/call.ts';

/** Query key of the reader's second factors. */
export const ownFactorsKey = ['own-second-factors'];

/** Loads the reader's second factors; `isSilent` reports no failure. */
export async function loadOwnFactors(isSilent: boolean): Promise<OwnFactors> {
  return (await call(listOwnFactors, { isSilent })).data;
}

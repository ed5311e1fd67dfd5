import * as contract from '@switchyard/contract/second-factors';
import type { Feature } from '../../http/bind.ts';
import {
  beginTotp,
  confirmTotp,
  listOwnFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  type OwnFactorsDependencies,
} from './factor-commands.ts';

/** Calls on the caller's own second factors and recovery codes. */
export function createSecondFactors(deps: OwnFactorsDependencies): Feature {
  return {
    bindRoutes(bind) {
      bind(contract.listOwnFactors, async ({ caller }) => listOwnFactors(deps, caller));
      bind(contract.beginTotp, async ({ caller }) => beginTotp(deps, caller));
      bind(contract.confirmTotp, async ({ body, caller, request }) => confirmTotp(deps, { ...body, caller, request }));
      bind(contract.renameFactor, async ({ params, body, caller, request }) => renameFactor(deps, { ...params, ...body, caller, request }));
      bind(contract.removeFactor, async ({ params, caller, request }) => removeFactor(deps, { ...params, caller, request }));
      bind(contract.renewRecoveryCodes, async ({ caller, request }) => renewRecoveryCodes(deps, { caller, request }));
    },
  };
}

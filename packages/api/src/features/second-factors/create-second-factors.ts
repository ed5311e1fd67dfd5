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
      bind(contract.confirmTotp, async (call) => confirmTotp(deps, call));
      bind(contract.renameFactor, async (call) => renameFactor(deps, call));
      bind(contract.removeFactor, async (call) => removeFactor(deps, call));
      bind(contract.renewRecoveryCodes, async (call) => renewRecoveryCodes(deps, call));
    },
  };
}

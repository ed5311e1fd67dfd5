import { beginPasskey as beginCall, confirmPasskey as confirmCall } from '@switchyard/contract/second-factors';
import type { Feature } from '../../http/bind.ts';
import { beginPasskey, confirmPasskey, type PasskeysDependencies } from './passkey-commands.ts';

/** Calls that add a passkey to the caller's second factors. */
export function createPasskeys(deps: PasskeysDependencies): Feature {
  return {
    bindRoutes(bind) {
      bind(beginCall, async ({ caller }) => beginPasskey(deps, caller));
      bind(confirmCall, async (call) => confirmPasskey(deps, call));
    },
  };
}

import * as contract from '@switchyard/contract/app-push-file';
import type { Feature } from '../../http/bind.ts';
import { findPushFileDescription } from './push-file-read-model.ts';
import { savePushFile, type PushFileDependencies } from './push-file-commands.ts';

/** The call on the push configuration file of an app. */
export function createAppPushFile(deps: PushFileDependencies): Feature {
  return {
    bindRoutes(bind) {
      bind(contract.getPushFile, async ({ params: { id }, caller }) => findPushFileDescription(deps, id, caller.scope));
      bind(contract.savePushFile, async (call) => savePushFile(deps, call));
    },
  };
}

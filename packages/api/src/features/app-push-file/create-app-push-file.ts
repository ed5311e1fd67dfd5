import * as contract from '@switchyard/contract/app-push-file';
import type { SecretBox } from '../../adapters/secret-box.ts';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { savePushFile } from './save-push-file.ts';

/** The push configuration file of an app (api [21]). */
export function createAppPushFile(deps: { db: Databases['db']; secretBox: Pick<SecretBox, 'seal'>; now: () => Date }): Feature {
  return {
    bindRoutes(bind) {
      bind(contract.savePushFile, async (call) => savePushFile(deps, call));
    },
  };
}

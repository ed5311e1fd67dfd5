import { savePushFile } from '@switchyard/contract/app-push-file';
import { call } from '../../../../shared/api/call.ts';
import { callKey } from '../../../../shared/api/endpoint-url.ts';
import { notify } from '../../../../shared/ui/notifications/notification-center.ts';
import { reloadApp } from '../app-query.ts';

/** Sends a push file and has the app read again, also after a refusal: it may have been archived (PUSHF-004, PUSHF-010). */
export async function sendPushFile(appId: number, file: File, onProgress: (share: number) => void): Promise<void> {
  const body = new FormData();
  body.append('appId', String(appId));
  body.append('configuration', file);
  try {
    const { data } = await call(savePushFile, { body, onProgress });
    notify({ type: 'success', message: `Push file "${data.fileName}" saved`, key: callKey(savePushFile) });
  } finally {
    await reloadApp(appId);
  }
}

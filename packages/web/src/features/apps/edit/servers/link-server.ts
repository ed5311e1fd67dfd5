import { addAppDomain, linkNotice, removeAppDomain } from '@switchyard/contract/app-domains';
import { spans } from '@switchyard/contract/limits';
import { call } from '../../../../shared/api/call.ts';
import { notify } from '../../../../shared/ui/notifications/notification-center.ts';
import { reloadApp } from '../app-query.ts';

type LinkInput = {
  readonly appId: number;
  /** The saved domain, not one that is being typed (AMB-115). */
  readonly domain: string;
  readonly serverId: number;
  readonly isOnlyCF: boolean;
};

/** Links a server, or starts a link over: the call is the same (DOM-006, AMB-117). */
export function linkServer({ appId, domain, serverId, isOnlyCF }: LinkInput): Promise<void> {
  return change(appId, () => call(addAppDomain, { body: { domain, serverId, isOnlyCF } }));
}

/** Unlinks a server (DOM-007). */
export function unlinkServer(appId: number, linkId: number): Promise<void> {
  return change(appId, () => call(removeAppDomain, { params: { id: linkId } }));
}

/** A refused change also has the app read again: somebody else may have been faster, or the app be archived. */
async function change(appId: number, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
    notify({ type: 'info', message: linkNotice, timeout: spans.serverNotice });
  } catch {
    // The error policy has shown it.
  }
  await reloadApp(appId);
}

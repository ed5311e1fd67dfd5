import { z } from 'zod';
import { createStore, type Store } from '../external-store.ts';
import { localSettings } from '../local-settings.ts';

const setting = localSettings.json('incident_notifications', z.boolean());
const isOnStore = createStore(setting.get() ?? false);

/** Whether this browser shows a notification of the system for each new incident while the console is open in it. */
export const areNotificationsOn: Pick<Store<boolean>, 'get' | 'subscribe'> = isOnStore;

/** Whether the browser can show notifications at all; some do so over https only. */
export function canNotify(): boolean {
  return 'Notification' in globalThis;
}

/** Switches the notifications on or off on this device. Asks for the permission first; false if the reader or the browser denies it. */
export async function switchNotifications(isOn: boolean): Promise<boolean> {
  if (isOn && (!canNotify() || (await Notification.requestPermission()) !== 'granted')) return false;
  setting.set(isOn);
  isOnStore.set(isOn);
  return true;
}

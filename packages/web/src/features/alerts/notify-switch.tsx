import { areNotificationsOn, canNotify, switchNotifications } from '../../shared/alerts/browser-notifications.ts';
import { useStore } from '../../shared/external-store.ts';
import { FilterSwitch } from '../../shared/listing/filter-fields.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';

async function toggle(next: boolean): Promise<void> {
  if (await switchNotifications(next)) return;
  notify({ type: 'warning', message: 'The browser blocks notifications of this site. Allow them in its settings first.' });
}

/** Switches notifications about new incidents on in this browser. Only then the browser asks for its permission. */
export function NotifySwitch() {
  const isOn = useStore(areNotificationsOn);
  if (!canNotify()) return null;
  return (
    <FilterSwitch
      label="Notify me here"
      title="This browser shows a notification for each new incident while the console is open in it"
      isOn={isOn}
      onChange={(next) => void toggle(next)}
    />
  );
}

import { useSyncExternalStore } from 'react';
import { timeSpans } from '../display-limits.ts';

export const notificationTypes = ['info', 'primary', 'danger', 'warning', 'success'] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** A plain message; a message with icon and time; a message that leads somewhere. */
export const notificationActions = ['alert', 'notification', 'link'] as const;
export type NotificationAction = (typeof notificationActions)[number];

export const toastPositions = ['top-left', 'top-right', 'left-center', 'right-center', 'top-center', 'bottom-center'] as const;
export type ToastPosition = (typeof toastPositions)[number];

/** Above this many shown notifications 'Clear all' appears. */
export const clearAllAbove = 3;

export type ConsoleNotification = {
  readonly id: number;
  readonly message: string;
  readonly type: NotificationType;
  readonly action: NotificationAction;
  /** Milliseconds since 1970 when it was last raised. */
  readonly timestamp: number;
  readonly timeout: number;
  readonly closesByItself: boolean;
  readonly closeOnClick: boolean;
  readonly hasCloseIcon: boolean;
  readonly position: ToastPosition;
  /** Where a notification with the action `link` leads. */
  readonly href: string | null;
  /** A button of the notification; pressing it closes the notification. */
  readonly button: { readonly label: string; readonly press: () => void } | null;
  /** How often the same message was raised while it was shown. */
  readonly times: number;
  /** Identifies the action that this is the result of; null for other notifications. See `NotificationCenter.notify`. */
  readonly key: string | null;
};

/** Above the footer, where lists and forms have no actions. */
const defaultPosition: ToastPosition = 'bottom-center';

export type NotificationInput = Pick<ConsoleNotification, 'message'> &
  Partial<Omit<ConsoleNotification, 'id' | 'message' | 'timestamp' | 'times'>>;

export type NotificationCenter = {
  readonly list: () => readonly ConsoleNotification[];
  /**
   * Shows a notification and returns its id. Throws RangeError unless the timeout exceeds 0. Replaces the notification
   * with the same key, so only the newest result of an action is shown.
   */
  readonly notify: (input: NotificationInput) => number;
  readonly close: (id: number) => void;
  /** Closes the notification with this key, for example an error that a later success resolves. */
  readonly closeKey: (key: string) => void;
  readonly clear: () => void;
  readonly subscribe: (onChange: () => void) => () => void;
};

/**
 * The list of shown notifications. A message that is already shown is counted and its time restarts, instead of a
 * second notification.
 */
export function createNotificationCenter(now: () => Date): NotificationCenter {
  let shownNotifications: readonly ConsoleNotification[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const show = (next: readonly ConsoleNotification[]): void => {
    shownNotifications = next;
    for (const listener of listeners) listener();
  };
  return {
    list: () => shownNotifications,
    notify: (input) => {
      const timeout = input.timeout ?? timeSpans.notification;
      if (!(timeout > 0)) throw new RangeError('The timeout of a notification must exceed 0');
      const position = input.position ?? defaultPosition;
      const type = input.type ?? 'info';
      const key = input.key ?? null;
      const repeats = (other: ConsoleNotification): boolean =>
        other.message === input.message && other.type === type && other.position === position;
      const replacedNotifications = shownNotifications.filter((other) => repeats(other) || (key !== null && other.key === key));
      const [first] = replacedNotifications;
      const repeatedNotification = replacedNotifications.find(repeats);
      lastId += 1;
      const notification: ConsoleNotification = {
        id: repeatedNotification?.id ?? lastId,
        message: input.message,
        type,
        action: input.action ?? 'alert',
        timestamp: now().getTime(),
        timeout,
        closesByItself: input.closesByItself ?? true,
        closeOnClick: input.closeOnClick ?? false,
        hasCloseIcon: input.hasCloseIcon ?? true,
        position,
        href: input.href ?? null,
        times: (repeatedNotification?.times ?? 0) + 1,
        key,
        button: input.button ?? null,
      };
      const others = shownNotifications.filter((other) => other === first || !replacedNotifications.includes(other));
      show(first ? others.map((other) => (other === first ? notification : other)) : [...others, notification]);
      return notification.id;
    },
    close: (id) => show(shownNotifications.filter((notification) => notification.id !== id)),
    closeKey: (key) => {
      if (shownNotifications.some((notification) => notification.key === key))
        show(shownNotifications.filter((notification) => notification.key !== key));
    },
    clear: () => show([]),
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

const center = createNotificationCenter(() => new Date());

/** Shows a notification to the reader and gives its id. */
export const notify: NotificationCenter['notify'] = center.notify;
/** Reports a deletion, and offers for ten seconds to undo it. */
export function notifyDeletion({ message, key, undo }: { message: string; key?: string; undo: () => Promise<void> }): void {
  notify({
    type: 'success',
    message,
    ...(key !== undefined && { key }),
    timeout: timeSpans.undo,
    button: { label: 'Undo', press: () => void undo() },
  });
}

export const closeNotification: NotificationCenter['close'] = center.close;
export const closeNotificationOf: NotificationCenter['closeKey'] = center.closeKey;
export const clearNotifications: NotificationCenter['clear'] = center.clear;

/** The notifications shown at this moment, oldest first. */
export function useNotifications(): readonly ConsoleNotification[] {
  return useSyncExternalStore(center.subscribe, center.list);
}

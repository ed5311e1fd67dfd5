import { useSyncExternalStore } from 'react';
import { timeSpans } from '../time-spans.ts';

export const notificationTypes = ['info', 'primary', 'danger', 'warning', 'success'] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** A plain message; a message with icon and time; a message that leads somewhere (AMB-039). */
export const notificationActions = ['alert', 'notification', 'link'] as const;
export type NotificationAction = (typeof notificationActions)[number];

export const toastPositions = ['top-left', 'top-right', 'left-center', 'right-center', 'top-center', 'bottom-center'] as const;
export type ToastPosition = (typeof toastPositions)[number];

/** Above this many shown notifications 'Clear all' appears (WID-030). */
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
  /** How often the same message was raised while it was shown. */
  readonly times: number;
};

export type NotificationInput = Pick<ConsoleNotification, 'message'> &
  Partial<Omit<ConsoleNotification, 'id' | 'message' | 'timestamp' | 'times'>>;

export type NotificationCenter = {
  readonly list: () => readonly ConsoleNotification[];
  /** Shows a notification and gives its id; throws RangeError unless the timeout exceeds 0 (WID-026). */
  readonly notify: (input: NotificationInput) => number;
  readonly close: (id: number) => void;
  readonly clear: () => void;
  readonly subscribe: (onChange: () => void) => () => void;
};

/** The list of shown notifications. A message that is already shown is raised again instead of standing there twice. */
export function createNotificationCenter(now: () => Date): NotificationCenter {
  let shown: readonly ConsoleNotification[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const show = (next: readonly ConsoleNotification[]): void => {
    shown = next;
    for (const listener of listeners) listener();
  };
  return {
    list: () => shown,
    notify: (input) => {
      const timeout = input.timeout ?? timeSpans.notification;
      if (!(timeout > 0)) throw new RangeError('The timeout of a notification must exceed 0');
      const position = input.position ?? 'top-right';
      const type = input.type ?? 'info';
      const same = shown.find((other) => other.message === input.message && other.type === type && other.position === position);
      lastId += 1;
      const notification: ConsoleNotification = {
        id: same?.id ?? lastId,
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
        times: (same?.times ?? 0) + 1,
      };
      show(same ? shown.map((other) => (other === same ? notification : other)) : [...shown, notification]);
      return notification.id;
    },
    close: (id) => show(shown.filter((notification) => notification.id !== id)),
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
export const closeNotification: NotificationCenter['close'] = center.close;
export const clearNotifications: NotificationCenter['clear'] = center.clear;

/** The notifications shown at this moment, oldest first. */
export function useNotifications(): readonly ConsoleNotification[] {
  return useSyncExternalStore(center.subscribe, center.list);
}

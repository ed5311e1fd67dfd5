import { Button, Anchor, Notification, VisuallyHidden } from '@mantine/core';
import { usePublishedHeight } from '../use-published-height.ts';
import {
  clearAllAbove,
  clearNotifications,
  toastPositions,
  useNotifications,
  closeNotification,
  type ConsoleNotification,
  type NotificationType,
} from './notification-center.ts';
import classes from './notifications.module.css';
import { IconAlertTriangle, IconBell, IconCircleCheck, IconExclamationCircle, IconInfoCircle, type Icon } from '@tabler/icons-react';
import { useEffect, useState, type MouseEvent } from 'react';
import { VisibleText } from '../visible-text.tsx';

/** All shown notifications at their places, with 'Clear all' when there are more than three; `onOpen` follows a link. */
export function NotificationStacks({ onOpen }: { onOpen: (href: string) => void }) {
  const notifications = useNotifications();
  const publishHeight = usePublishedHeight('--sy-toasts-height');
  const clearAllAt = notifications.length > clearAllAbove ? notifications[0]?.position : undefined;
  return (
    <section aria-label="Notifications" data-screen-only>
      {toastPositions.map((position) => {
        const here = notifications.filter((notification) => notification.position === position);
        return (
          <div
            key={position}
            ref={position === 'bottom-center' ? publishHeight : null}
            className={classes['stack']}
            data-position={position}
            aria-live="polite"
          >
            {clearAllAt === position && (
              <Button className={classes['clear'] ?? ''} size="xs" variant="default" onClick={clearNotifications}>
                Clear all
              </Button>
            )}
            {here.map((notification) => (
              <NotificationCard key={`${notification.id} ${notification.times}`} notification={notification} onOpen={onOpen} />
            ))}
          </div>
        );
      })}
    </section>
  );
}

const icons: Record<NotificationType, Icon> = {
  info: IconInfoCircle,
  primary: IconBell,
  danger: IconExclamationCircle,
  warning: IconAlertTriangle,
  success: IconCircleCheck,
};

const words: Record<NotificationType, string> = {
  info: 'Info',
  primary: 'Notice',
  danger: 'Error',
  warning: 'Warning',
  success: 'Success',
};

/** Closes the notification after its timeout. The pointer or the focus on it pauses the timeout; afterwards it restarts. */
function useAutoClose({ id, timeout, closesByItself }: ConsoleNotification, isHeld: boolean): void {
  useEffect(() => {
    if (!closesByItself || isHeld) return undefined;
    const timer = setTimeout(() => closeNotification(id), timeout);
    return () => clearTimeout(timer);
  }, [id, timeout, closesByItself, isHeld]);
}

type NotificationCardProps = { notification: ConsoleNotification; onOpen: (href: string) => void };

/** One notification with icon, message and, where wanted, time, link and close icon. */
function NotificationCard({ notification, onOpen }: NotificationCardProps) {
  const { id, type, closeOnClick } = notification;
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  useAutoClose(notification, isPointedAt || hasFocus);
  const TypeIcon = icons[type];

  const closeFromCard = (): void => {
    // Selecting the text to copy it must not close the notification.
    if (closeOnClick && window.getSelection()?.isCollapsed !== false) closeNotification(id);
  };
  return (
    <Notification
      classNames={{
        root: classes['card'] ?? '',
        icon: classes['icon'] ?? '',
        body: classes['body'] ?? '',
        description: classes['message'] ?? '',
        closeButton: classes['close'] ?? '',
      }}
      data-type={type}
      data-clickable={closeOnClick || undefined}
      data-testid="notification"
      role={type === 'danger' ? 'alert' : 'status'}
      icon={<TypeIcon size={18} stroke={1.8} aria-hidden />}
      withCloseButton={notification.hasCloseIcon}
      closeButtonProps={{ 'aria-label': 'Close notification', size: 24 }}
      onClose={() => closeNotification(id)}
      onClick={closeFromCard}
      onMouseEnter={() => setIsPointedAt(true)}
      onMouseLeave={() => setIsPointedAt(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      <VisuallyHidden>{words[type]}: </VisuallyHidden>
      <Message notification={notification} onOpen={onOpen} />
    </Notification>
  );
}

function Message({ notification, onOpen }: NotificationCardProps) {
  const { id, message, action, href, button, times, timestamp } = notification;
  const open = (target: string) => (event: MouseEvent) => {
    event.preventDefault();
    closeNotification(id);
    onOpen(target);
  };
  return (
    <>
      {action === 'link' && href !== null ? (
        <Anchor href={href} inherit onClick={open(href)}>
          <VisibleText text={message} />
        </Anchor>
      ) : (
        <VisibleText text={message} />
      )}
      {button !== null && (
        <Button
          className={classes['button'] ?? ''}
          size="compact-sm"
          variant="default"
          onClick={() => {
            closeNotification(id);
            button.press();
          }}
        >
          {button.label}
        </Button>
      )}
      {times > 1 && <span className="caption"> ×{times}</span>}
      {action === 'notification' && <div className="caption">{new Date(timestamp).toLocaleTimeString()}</div>}
    </>
  );
}

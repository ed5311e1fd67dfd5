import { Anchor, Button, Notification, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconBell, IconCircleCheck, IconExclamationCircle, IconInfoCircle, type Icon } from '@tabler/icons-react';
import { useEffect, useState, type MouseEvent } from 'react';
import { closeNotification, type ConsoleNotification, type NotificationType } from './notification-center.ts';
import classes from './notification-card.module.css';
import { VisibleText } from '../visible-text.tsx';

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

/** Closes the notification after its timeout; a pointer or focus on it holds the time and then gives it anew. */
function useAutoClose({ id, timeout, closesByItself }: ConsoleNotification, isHeld: boolean): void {
  useEffect(() => {
    if (!closesByItself || isHeld) return undefined;
    const timer = setTimeout(() => closeNotification(id), timeout);
    return () => clearTimeout(timer);
  }, [id, timeout, closesByItself, isHeld]);
}

type NotificationCardProps = { notification: ConsoleNotification; onOpen: (href: string) => void };

/** One notification with icon, message and, where wanted, time, link and close icon. */
export function NotificationCard({ notification, onOpen }: NotificationCardProps) {
  const { id, type, closeOnClick } = notification;
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  useAutoClose(notification, isPointedAt || hasFocus);
  const TypeIcon = icons[type];

  const closeFromCard = (): void => {
    // Selecting the text of an error to copy it is no wish to close it.
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
      {times > 1 && <span className={classes['aside']}> ×{times}</span>}
      {action === 'notification' && <div className={classes['aside']}>{new Date(timestamp).toLocaleTimeString()}</div>}
    </>
  );
}

import { Button } from '@mantine/core';
import { usePublishedHeight } from '../use-published-height.ts';
import { clearAllAbove, clearNotifications, toastPositions, useNotifications } from './notification-center.ts';
import { NotificationCard } from './notification-card.tsx';
import classes from './notification-stacks.module.css';

/** All shown notifications at their places, with 'Clear all' when there are more than three (WID-030, WID-053); `onOpen` follows a link. */
export function NotificationStacks({ onOpen }: { onOpen: (href: string) => void }) {
  const shown = useNotifications();
  const publishHeight = usePublishedHeight('--sy-toasts-height');
  const clearAllAt = shown.length > clearAllAbove ? shown[0]?.position : undefined;
  return (
    <section aria-label="Notifications" data-screen-only>
      {toastPositions.map((position) => {
        const here = shown.filter((notification) => notification.position === position);
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

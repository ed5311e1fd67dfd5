import { useMemo } from 'react';
import { PushImage } from './push-image.tsx';
import classes from './push-preview.module.css';
import { readNotification } from './read-notification.ts';

/** A push as its receiver saw it: picture, title and body (PUSH-008). */
export function PushPreview({ message }: { message: string }) {
  const { title, body, image } = useMemo(() => readNotification(message), [message]);
  return (
    <span className={classes['preview']}>
      <PushImage address={image} />
      <span className={classes['words']}>
        {title !== null && title !== '' && (
          <span className={classes['title']} title={title}>
            {title}
          </span>
        )}
        {body !== null && body !== '' && (
          <span className={classes['body']} title={body}>
            {body}
          </span>
        )}
      </span>
    </span>
  );
}

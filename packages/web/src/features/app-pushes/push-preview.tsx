import { useMemo } from 'react';
import { PushImage } from './push-image.tsx';
import classes from './push-preview.module.css';
import { readNotification } from './read-notification.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';

/** A push as its receiver saw it: picture, title and body (PUSH-008). */
export function PushPreview({ message }: { message: string }) {
  const { title, body, image } = useMemo(() => readNotification(message), [message]);
  return (
    <span className={classes['preview']}>
      <PushImage address={image} />
      <span className={classes['words']}>
        {title !== null && title !== '' && (
          <span className={classes['title']} title={withMarks(title)}>
            <VisibleText text={title} />
          </span>
        )}
        {body !== null && body !== '' && (
          <span className={classes['body']} title={withMarks(body)}>
            <VisibleText text={body} />
          </span>
        )}
      </span>
    </span>
  );
}

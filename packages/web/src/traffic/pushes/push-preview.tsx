import { useMemo, useState } from 'react';
import placeholder from './placeholder.svg';
import { pushImageWidth } from '../../shared/ui/display-limits.ts';
import classes from './push-preview.module.css';
import { readNotification } from './read-notification.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';

/** A push as its receiver saw it: image, title and body. */
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

/**
 * The image of a push, 50 pixels wide, or a placeholder. Its host is unknown, so it is loaded only when it comes into view,
 * and without a referrer.
 */
export function PushImage({ address }: { address: string | null }) {
  const [brokenAddress, setBroken] = useState<string | null>(null);
  if (address === null || address === brokenAddress) {
    const meaning = address === null ? 'No picture' : 'The picture cannot be loaded';
    return <img className={classes['image']} src={placeholder} width={pushImageWidth} alt="Placeholder" title={meaning} data-placeholder />;
  }
  return (
    <img
      className={classes['image']}
      src={address}
      width={pushImageWidth}
      alt="Preview"
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(address)}
    />
  );
}

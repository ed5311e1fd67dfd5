import { pushImageWidth } from '@switchyard/contract/limits';
import { useState } from 'react';
import placeholder from './placeholder.svg';
import classes from './push-preview.module.css';

/**
 * The picture of a push, 50 pixels wide (PUSH-010), or what stands for none (PUSH-009). It comes from a host that we do
 * not know, so it is asked for only when it comes into view and without telling where from (S23).
 */
export function PushImage({ address }: { address: string | null }) {
  const [broken, setBroken] = useState<string | null>(null);
  if (address === null || address === broken) {
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

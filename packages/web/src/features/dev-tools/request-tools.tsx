import { useState, type ComponentProps } from 'react';
import { CalculateRequest } from './calculate-request.tsx';
import classes from './dev-doc.module.css';
import { Query } from './query.tsx';

/** The encoder, and the query that sends what it encoded. */
export function RequestTools({ Frame }: Pick<ComponentProps<typeof Query>, 'Frame'>) {
  const [encoded, setEncoded] = useState<string | null>(null);
  return (
    <div className={classes['tools']}>
      <CalculateRequest encoded={encoded} onEncoded={setEncoded} />
      <Query encoded={encoded} {...(Frame === undefined ? {} : { Frame })} />
    </div>
  );
}

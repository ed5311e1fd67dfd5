import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { CopyIcon } from '../../shared/ui/copy-icon.tsx';
import classes from './dev-doc.module.css';

/** Characters that are shown at first. */
const shownAtFirst = 4_000;

/** What was decoded, as text with a line for each key; null: nothing. */
export function DecodedAnswer({ lines }: { lines: string | null }) {
  return <div aria-live="polite">{lines !== null && <Lines key={lines} text={lines} />}</div>;
}

function Lines({ text }: { text: string }) {
  const id = useId();
  const [isWhole, setIsWhole] = useState(text.length <= shownAtFirst);
  return (
    <section aria-labelledby={id}>
      <div className={classes['label']}>
        <span id={id}>Decoded</span>
        <CopyIcon text={text} label="Copy what was decoded" />
      </div>
      <pre className={classes['decoded']}>{isWhole ? text : `${text.slice(0, shownAtFirst)}…`}</pre>
      {!isWhole && (
        <Button variant="default" size="xs" mt={8} onClick={() => setIsWhole(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </Button>
      )}
    </section>
  );
}

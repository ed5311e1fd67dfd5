import { Button } from '@mantine/core';
import { useState } from 'react';
import { PanelPart } from '../../shared/json-panel/panel-part.tsx';
import { groupedNumber } from '../../shared/traffic/counter-text.ts';
import { isForeign, shownStackLines } from './entry-parts.ts';
import { MarkedText } from './marked-text.tsx';
import classes from './stack-text.module.css';

type Props = { title: string; text: string; term: string };

/** Lines as they were written, those of libraries dimmed; the rest of a long text on demand. */
export function StackText({ title, text, term }: Props) {
  const [isWhole, setWhole] = useState(false);
  const lines = text.split('\n');
  const shown = isWhole ? lines : lines.slice(0, shownStackLines);
  return (
    <PanelPart title={title} copied={text}>
      <pre className={classes['lines']}>
        {numbered(shown).map(({ line, at }) => (
          <span key={at} data-foreign={isForeign(line) || undefined}>
            <MarkedText text={line} term={term} />
            {'\n'}
          </span>
        ))}
      </pre>
      {shown.length < lines.length && (
        <Button size="compact-sm" variant="default" onClick={() => setWhole(true)}>
          Show all {groupedNumber(lines.length)} lines
        </Button>
      )}
    </PanelPart>
  );
}

/** Lines with their places, by which alike lines are told apart. */
function numbered(lines: readonly string[]) {
  return lines.map((line, at) => ({ line, at }));
}

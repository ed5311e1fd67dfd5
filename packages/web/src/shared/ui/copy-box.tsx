import type { MouseEvent } from 'react';
import classes from './copy-box.module.css';
import { timeSpans } from './time-spans.ts';
import { useCopied, type CopiedState } from './use-copied.ts';

const words: Record<CopiedState, string> = { idle: '', copied: 'Copied', failed: 'Not copied' };

type Props = {
  /** What is shown and copied. */
  text: string;
  /** What it is, e.g. `Token`. */
  label: string;
};

/** A box whose text a double-click copies; on the keyboard Enter or Space does. */
export function CopyBox({ text, label }: Props) {
  const { state, copy } = useCopied(timeSpans.copyBox);
  // The keyboard and assistive technology press a button without a pointer, which counts no clicks.
  const press = (event: MouseEvent): void => {
    if (event.detail === 0) void copy(text);
  };
  return (
    <button
      type="button"
      className={classes['box']}
      data-state={state}
      aria-label={`Copy ${label.toLowerCase()}: ${text}`}
      title="Double-click to copy"
      onClick={press}
      onDoubleClick={() => void copy(text)}
    >
      <span className={classes['text']}>{text}</span>
      <output className={classes['state']}>{words[state]}</output>
    </button>
  );
}

import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useGridTabIndex } from './grid-tab-index.ts';

/** Milliseconds for which the icon shows that it copied (WID-037, CONST-017). */
const copiedFor = 300;

type Props = {
  /** What is copied, or how to build it when it is large. */
  text: string | (() => string);
  /** What the button says, e.g. `Copy the request's id`. */
  label: string;
  className?: string | undefined;
};

/** Copies a text to the clipboard and shows a check mark for 300 ms. */
export function CopyIcon({ text, label, className }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tabIndex = useGridTabIndex();
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setState('copied');
    } catch {
      setState('failed');
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), copiedFor);
  }

  return (
    <ActionIcon
      className={className}
      variant="subtle"
      color={state === 'failed' ? 'danger' : state === 'copied' ? 'success' : 'neutral'}
      size="sm"
      aria-label={state === 'copied' ? 'Copied' : label}
      title={label}
      data-copied={state === 'copied' || undefined}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {state === 'copied' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
    </ActionIcon>
  );
}

import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useGridTabIndex } from './grid-tab-index.ts';
import { timeSpans } from './time-spans.ts';
import { useCopied } from './use-copied.ts';

const colours = { idle: 'neutral', copied: 'success', failed: 'danger' } as const;

type Props = {
  /** What is copied, or how to build it when it is large. */
  text: string | (() => string);
  /** What the button says, e.g. `Copy the request's id`. */
  label: string;
  className?: string | undefined;
};

/** Copies a text to the clipboard and shows a check mark for 300 ms. */
export function CopyIcon({ text, label, className }: Props) {
  const { state, copy } = useCopied(timeSpans.copyIcon);
  const tabIndex = useGridTabIndex();
  return (
    <ActionIcon
      className={className}
      variant="subtle"
      color={colours[state]}
      size="sm"
      aria-label={state === 'copied' ? 'Copied' : label}
      title={label}
      data-copied={state === 'copied' || undefined}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.stopPropagation();
        void copy(typeof text === 'string' ? text : text());
      }}
    >
      {state === 'copied' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
    </ActionIcon>
  );
}

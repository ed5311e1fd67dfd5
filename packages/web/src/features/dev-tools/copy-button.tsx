import { Button } from '@mantine/core';
import { IconCheck, IconCopy, IconTerminal2, IconX, type Icon } from '@tabler/icons-react';
import { timeSpans } from '../../shared/ui/time-spans.ts';
import { useCopied, type CopiedState } from '../../shared/ui/use-copied.ts';

const outcomes: Record<Exclude<CopiedState, 'idle'>, { icon: Icon; text: string }> = {
  copied: { icon: IconCheck, text: 'Copied' },
  failed: { icon: IconX, text: 'Not copied' },
};

type Props = {
  label: string;
  /** What is copied; null: there is nothing yet. */
  text: string | null;
  /** The text is a command. */
  isCommand?: boolean;
};

/** Copies a text that is too long to be its own label. */
export function CopyButton({ label, text, isCommand = false }: Props) {
  const { state, copy } = useCopied(timeSpans.copyBox);
  const idle = { icon: isCommand ? IconTerminal2 : IconCopy, text: label };
  const { icon: ButtonIcon, text: shown } = state === 'idle' ? idle : outcomes[state];
  return (
    <Button
      variant="default"
      size="xs"
      disabled={text === null}
      leftSection={<ButtonIcon size={14} aria-hidden />}
      onClick={() => text !== null && void copy(text)}
    >
      <span aria-live="polite">{shown}</span>
    </Button>
  );
}

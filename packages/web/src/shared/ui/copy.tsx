import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { Button } from '@mantine/core';
import { IconCheck, IconCopy, IconTerminal2, IconX, type Icon } from '@tabler/icons-react';
import { useGridTabIndex } from './grid-tab-index.ts';
import { timeSpans } from './display-limits.ts';
import { plainClasses } from './plain-buttons.ts';
import classes from './copy.module.css';

type CopiedState = 'idle' | 'copied' | 'failed';

/**
 * Copies text to the clipboard and reports the result for `shownFor` milliseconds, then calls `onShown` if it was copied.
 * A further copy restarts the time. If the browser denies access to the clipboard, the state is `failed`.
 */
export function useCopied(shownFor: number, onShown?: () => void): { state: CopiedState; copy: (text: string) => Promise<void> } {
  const [state, setState] = useState<CopiedState>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(text: string): Promise<void> {
    const outcome = await navigator.clipboard.writeText(text).then(
      () => 'copied' as const,
      () => 'failed' as const,
    );
    setState(outcome);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setState('idle');
      if (outcome === 'copied') onShown?.();
    }, shownFor);
  }
  return { state, copy };
}

const tones = { idle: undefined, copied: 'success', failed: 'danger' } as const;

type CopyIconProps = {
  /** The text, or a function that builds it when it is large. */
  text: string | (() => string);
  /** Label of the button, e.g. `Copy the request's id`. */
  label: string;
  className?: string | undefined;
};

/** Copies a text to the clipboard and shows a check mark for 300 ms. */
export function CopyIcon({ text, label, className }: CopyIconProps) {
  const { state, copy } = useCopied(timeSpans.copyIcon);
  const tabIndex = useGridTabIndex();
  return (
    <button
      type="button"
      className={className === undefined ? plainClasses.icon : `${plainClasses.icon} ${className}`}
      data-tone={tones[state]}
      data-size="sm"
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
    </button>
  );
}

const boxTexts: Record<CopiedState, string> = { idle: '', copied: 'Copied', failed: 'Not copied' };

type CopyBoxProps = {
  /** The text that is shown and copied. */
  text: string;
  /** Name of the text, e.g. `Token`. */
  label: string;
};

/** A box that copies its text on double-click, or on Enter or Space when it has the focus. */
export function CopyBox({ text, label }: CopyBoxProps) {
  const { state, copy } = useCopied(timeSpans.copyBox);
  // Keyboards and assistive technology press a button without a click count.
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
      <span className="cut">{text}</span>
      <output className={classes['state']}>{boxTexts[state]}</output>
    </button>
  );
}

const buttonTexts: Record<Exclude<CopiedState, 'idle'>, { icon: Icon; text: string }> = {
  copied: { icon: IconCheck, text: 'Copied' },
  failed: { icon: IconX, text: 'Not copied' },
};

type CopyButtonProps = {
  label: string;
  /** The text to copy; null disables the button. */
  text: string | null;
  /** The text is a command. */
  isCommand?: boolean;
};

/** A button that copies a text too long to be its label. */
export function CopyButton({ label, text, isCommand = false }: CopyButtonProps) {
  const { state, copy } = useCopied(timeSpans.copyBox);
  const idle = { icon: isCommand ? IconTerminal2 : IconCopy, text: label };
  const { icon: ButtonIcon, text: shownText } = state === 'idle' ? idle : buttonTexts[state];
  return (
    <Button
      variant="default"
      size="xs"
      disabled={text === null}
      leftSection={<ButtonIcon size={14} aria-hidden />}
      onClick={() => text !== null && void copy(text)}
    >
      <span aria-live="polite">{shownText}</span>
    </Button>
  );
}

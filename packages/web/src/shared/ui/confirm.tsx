import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { Popup } from './popup.tsx';
import { VisibleText } from './visible-text.tsx';

type ConfirmRequest = {
  readonly title: string;
  /** One line each. */
  readonly lines: readonly string[];
  /** What OK does; the OK button is disabled until it has ended, then the prompt closes (WID-035). */
  readonly action: () => Promise<unknown>;
  /** Colours OK as dangerous. */
  readonly isDangerous?: boolean;
  readonly closeOnEscape?: boolean;
  readonly closeOnBackdrop?: boolean;
  readonly hasCloseIcon?: boolean;
};

let current: ConfirmRequest | null = null;
/** Where the keyboard was when the prompt was asked for. */
let opener: { control: Element | null; list: Element | null; section: Element | null } = { control: null, list: null, section: null };
const listeners = new Set<() => void>();

function show(request: ConfirmRequest | null): void {
  current = request;
  for (const listener of listeners) listener();
}

/** Asks with 'OK' and 'Cancel'; only OK runs the action (WID-034, WID-036). One prompt stands at a time. */
export function askConfirm(request: ConfirmRequest): void {
  const control = document.activeElement;
  opener = { control, list: control?.closest('[role="grid"]') ?? null, section: control?.closest('section') ?? null };
  show(request);
}

/**
 * The focus cannot return to what the action took away or switched off: what the section of the page names for that gets it,
 * or the row in its place, or else the page, which may be another one by now.
 */
function focusInstead(): void {
  if (document.activeElement !== document.body) return;
  const { control, list, section } = opener;
  // A row that is only about to go hands the focus on by itself.
  if (control instanceof HTMLElement && control.isConnected && !control.matches(':disabled')) control.focus();
  if (document.activeElement !== document.body) return;
  const home = section?.isConnected === true ? section.querySelector<HTMLElement>('[data-focus-home]') : null;
  const row = list?.querySelector<HTMLElement>('[data-index][tabindex="0"]');
  (row ?? home ?? document.querySelector<HTMLElement>('main'))?.focus();
}

function useConfirmRequest(): ConfirmRequest | null {
  return useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => current,
  );
}

/** Shows the prompt that `askConfirm` asked for; stands once in the console. */
export function ConfirmHost() {
  const request = useConfirmRequest();
  // Keeps the texts while the popup fades out.
  const [shown, setShown] = useState<ConfirmRequest | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  if (request !== null && request !== shown) setShown(request);

  async function run(): Promise<void> {
    if (request === null) return;
    setIsRunning(true);
    try {
      await request.action();
    } catch {
      // A failed call has already been shown by the error policy.
    } finally {
      setIsRunning(false);
      show(null);
    }
  }

  const cancel = (): void => {
    if (!isRunning) show(null);
  };
  return (
    <Popup
      isOpen={request !== null}
      onClose={cancel}
      onClosed={focusInstead}
      title={shown?.title ?? ''}
      closeOnEscape={!isRunning && (shown?.closeOnEscape ?? true)}
      closeOnBackdrop={!isRunning && (shown?.closeOnBackdrop ?? true)}
      // The action cannot be taken back, so nothing offers to while it runs.
      hasCloseIcon={!isRunning && (shown?.hasCloseIcon ?? true)}
    >
      <Stack gap={4}>
        {shown?.lines.map((line) => (
          <Text key={line}>
            <VisibleText text={line} />
          </Text>
        ))}
      </Stack>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={cancel} disabled={isRunning}>
          Cancel
        </Button>
        <Button color={shown?.isDangerous === true ? 'danger' : 'accent'} onClick={() => void run()} loading={isRunning} data-autofocus>
          OK
        </Button>
      </Group>
    </Popup>
  );
}

import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { createStore, useStore, type Store } from '../external-store.ts';
import { notify } from './notifications/notification-center.ts';
import { Popup } from './popup.tsx';
import { useReadOnly } from './read-only.tsx';
import { VisibleText } from './visible-text.tsx';

type ConfirmRequest = {
  readonly title: string;
  /** One line each. */
  readonly lines: readonly string[];
  /** Further content below the lines. */
  readonly details?: ReactNode;
  /** Whether everything that the question is about has been loaded. Until then OK does nothing. */
  readonly isReady?: Store<boolean>;
  /** A choice beside the question, ticked at first. */
  readonly option?: string;
  /** Runs on OK, with whether the option is ticked. OK is disabled until the promise settles; then the prompt closes. */
  readonly action: (isTicked: boolean) => Promise<unknown>;
  /** Colours OK as dangerous. */
  readonly isDangerous?: boolean;
  /** The action changes nothing on the server. */
  readonly isLocal?: boolean;
  readonly closeOnEscape?: boolean;
  readonly closeOnBackdrop?: boolean;
  readonly hasCloseIcon?: boolean;
};

const current = createStore<ConfirmRequest | null>(null);
const alwaysReady = createStore(true);
/** The element that had the focus when the prompt was opened. */
let opener: { control: Element | null; list: Element | null; section: Element | null } = { control: null, list: null, section: null };

/** Opens a prompt with 'OK' and 'Cancel'. Only OK runs the action. One prompt is open at a time. */
export function askConfirm(request: ConfirmRequest): void {
  const control = document.activeElement;
  opener = { control, list: control?.closest('[role="grid"]') ?? null, section: control?.closest('section') ?? null };
  current.set(request);
}

/** Closes the prompt, such as when its page is left. An action that runs goes on. */
export function closeConfirm(): void {
  current.set(null);
}

type DangerousChange = {
  title: string;
  /** One line each. */
  lines: readonly string[];
  /** Further content below the lines. */
  details?: ReactNode;
  change: () => Promise<unknown>;
  doneMessage: string;
  /** Also runs after a failure: what somebody else removed meanwhile returns 404, and the reloaded list no longer has it. */
  reload: () => Promise<unknown>;
};

/** Makes a change that is hard to reverse after a confirmation, reports it, and reloads what it changed. */
export function askToChange({ title, lines, details, change, doneMessage, reload }: DangerousChange): void {
  askConfirm({
    title,
    lines,
    details,
    isDangerous: true,
    action: async () => {
      try {
        await change();
        notify({ type: 'success', message: doneMessage });
      } finally {
        await reload();
      }
    },
  });
}

/**
 * The action may have removed or disabled the element that had the focus. Then the focus goes to the row in its place,
 * else to the `data-focus-home` element of its section, else to the page content.
 */
function restoreFocus(): void {
  if (document.activeElement !== document.body) return;
  const { control, list, section } = opener;
  // A row that is about to be removed passes its focus on itself.
  if (control instanceof HTMLElement && control.isConnected && !control.matches(':disabled')) control.focus();
  if (document.activeElement !== document.body) return;
  const home = section?.isConnected === true ? section.querySelector<HTMLElement>('[data-focus-home]') : null;
  const row = list?.querySelector<HTMLElement>('[data-index][tabindex="0"]');
  (row ?? home ?? document.querySelector<HTMLElement>('main'))?.focus();
}

/** Renders the prompt of `askConfirm`; mount it once. */
export function ConfirmHost() {
  const request = useStore(current);
  const readOnly = useReadOnly();
  // Keeps the texts during the fade-out.
  const [shownRequest, setShownRequest] = useState<ConfirmRequest | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const [isTicked, setIsTicked] = useState(true);
  if (request !== null && request !== shownRequest) {
    setShownRequest(request);
    setIsTicked(true);
  }

  const isReady = useStore(shownRequest?.isReady ?? alwaysReady);
  const lock = shownRequest?.isLocal === true ? null : readOnly;

  async function run(): Promise<void> {
    if (request === null || !isReady) return;
    setIsRunning(true);
    try {
      await request.action(request.option !== undefined && isTicked);
    } catch {
      // A failed call has already been shown by the error policy.
    } finally {
      setIsRunning(false);
      if (current.get() === request) closeConfirm();
    }
  }

  const cancel = (): void => {
    if (!isRunning) closeConfirm();
  };
  return (
    <Popup
      isOpen={request !== null}
      onClose={cancel}
      onClosed={restoreFocus}
      title={shownRequest?.title ?? ''}
      isPrompt
      closeOnEscape={!isRunning && (shownRequest?.closeOnEscape ?? true)}
      closeOnBackdrop={!isRunning && (shownRequest?.closeOnBackdrop ?? true)}
      // A running action cannot be cancelled, so the prompt has no close button meanwhile.
      hasCloseIcon={!isRunning && (shownRequest?.hasCloseIcon ?? true)}
    >
      <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
        {shownRequest?.lines.map((line) => (
          <Text key={line}>
            <VisibleText text={line} />
          </Text>
        ))}
      </Stack>
      {shownRequest?.details}
      {shownRequest?.option !== undefined && (
        <Checkbox
          mt="md"
          label={shownRequest.option}
          checked={isTicked}
          onChange={({ currentTarget }) => setIsTicked(currentTarget.checked)}
        />
      )}
      {lock !== null && (
        <Text mt="md" size="sm" c="dimmed">
          {lock}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={cancel} disabled={isRunning}>
          Cancel
        </Button>
        <Button
          color={shownRequest?.isDangerous === true ? 'danger' : 'accent'}
          onClick={() => void run()}
          loading={isRunning}
          disabled={lock !== null}
          // It keeps the focus, which a disabled button cannot have.
          {...(!isReady && { 'data-disabled': true, 'aria-disabled': true })}
          data-autofocus
        >
          OK
        </Button>
      </Group>
    </Popup>
  );
}

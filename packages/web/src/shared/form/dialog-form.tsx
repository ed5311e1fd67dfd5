import { Alert, Button, Group, Stack, Text, type MantineSpacing } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useReadOnly } from '../ui/read-only.tsx';
import formClasses from './form.module.css';

type Props = {
  submitLabel: string;
  /** Whether the form can be submitted now. */
  isEnabled: boolean;
  /** Whether it is being submitted in a way that must not be left. */
  isBusy?: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  /** Space between the fields. */
  gap?: MantineSpacing;
  /** Set where submitting changes nothing on the server. */
  isLocal?: boolean;
  /** Set where no field takes the focus when the dialog opens. */
  focusesSubmit?: boolean;
  /** Why submitting failed, where nothing else says it. */
  problem?: string | null;
  children: ReactNode;
};

/** The form in a dialog: its fields, then the buttons that cancel and submit it. */
export function DialogForm({
  submitLabel,
  isEnabled,
  isBusy = false,
  onSubmit,
  onCancel,
  gap = 'sm',
  isLocal = false,
  focusesSubmit = false,
  problem = null,
  children,
}: Props) {
  const readOnly = useReadOnly();
  const lock = isLocal ? null : readOnly;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // For React a dialog is a child of the form behind it, which must not be submitted too.
    event.stopPropagation();
    if (isEnabled && lock === null) onSubmit();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={gap}>
        <fieldset className={formClasses['all']} disabled={lock !== null}>
          {children}
        </fieldset>
        {problem !== null && (
          <Alert color="danger" variant="light" p="xs" role="alert">
            {problem}
          </Alert>
        )}
        {lock !== null && (
          <Text size="sm" c="dimmed">
            {lock}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isEnabled || lock !== null} {...(focusesSubmit && { 'data-autofocus': true })}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

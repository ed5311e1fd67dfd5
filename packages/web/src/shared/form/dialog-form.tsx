import { Button, Group, Stack, type MantineSpacing } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

type Props = {
  submitLabel: string;
  /** Whether the form can be submitted now. */
  isEnabled: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  /** Space between the fields. */
  gap?: MantineSpacing;
  /** Set where no field takes the focus when the dialog opens. */
  focusesSubmit?: boolean;
  children: ReactNode;
};

/** The form in a dialog: its fields, then the buttons that cancel and submit it. */
export function DialogForm({ submitLabel, isEnabled, onSubmit, onCancel, gap = 'sm', focusesSubmit = false, children }: Props) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // For React a dialog is a child of the form behind it, which must not be submitted too.
    event.stopPropagation();
    if (isEnabled) onSubmit();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={gap}>
        {children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isEnabled} {...(focusesSubmit && { 'data-autofocus': true })}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

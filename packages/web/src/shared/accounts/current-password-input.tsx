import { PasswordInput } from '@mantine/core';
import { useId } from 'react';
import { FieldLabel } from '../form/field-label.tsx';

type Props = { value: string; onChange: (password: string) => void; error: string | undefined };

/** The password that the reader signs in with, which proves that the session is his (O39). */
export function CurrentPasswordInput({ value, onChange, error }: Props) {
  const id = useId();
  return (
    <div>
      <FieldLabel label="Current password" help="The password you sign in with now. It proves that it is you" htmlFor={id} isRequired />
      <PasswordInput
        id={id}
        name="current_password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        aria-required
        aria-invalid={error !== undefined}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the current password', tabIndex: 0 }}
      />
    </div>
  );
}

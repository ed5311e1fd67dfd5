import { Button as KitButton } from '@mantine/core';
import type { ReactNode } from 'react';

/** Button sizes of the specification and the kit's names for them. */
const buttonSizes = { xs: 'xs', s: 'sm', m: 'md', l: 'lg', xl: 'xl' } as const;
export type ButtonSize = keyof typeof buttonSizes;

/** Button types of the specification. */
export const buttonTypes = ['filled', 'outline'] as const;
type ButtonType = (typeof buttonTypes)[number];

type ButtonProps = {
  children: ReactNode;
  look?: ButtonType;
  size?: ButtonSize;
  /** Submits its form. */
  isSubmit?: boolean;
  isDisabled?: boolean;
  isBusy?: boolean;
  onClick?: () => void;
};

/** A button in the specified sizes and types. While busy it ignores clicks but keeps the focus. */
export function Button({
  children,
  look = 'filled',
  size = 's',
  isSubmit = false,
  isDisabled = false,
  isBusy = false,
  onClick,
}: ButtonProps) {
  return (
    <KitButton
      type={isSubmit ? 'submit' : 'button'}
      variant={look}
      size={buttonSizes[size]}
      disabled={isDisabled}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      data-busy={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </KitButton>
  );
}

type Props = Omit<ButtonProps, 'children' | 'isBusy'> & { isLoading: boolean };

/** Starts an action and says 'Loading' while it runs, otherwise 'Apply'. */
export function ActionButton({ isLoading, ...rest }: Props) {
  return (
    <Button {...rest} isBusy={isLoading}>
      {isLoading ? 'Loading' : 'Apply'}
    </Button>
  );
}

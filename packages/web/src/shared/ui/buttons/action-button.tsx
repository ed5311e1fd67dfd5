import { Button, type ButtonProps } from './button.tsx';

type Props = Omit<ButtonProps, 'children' | 'isBusy'> & { isLoading: boolean };

/** Starts an action and says 'Loading' while it runs, otherwise 'Apply' (WID-052). */
export function ActionButton({ isLoading, ...rest }: Props) {
  return (
    <Button {...rest} isBusy={isLoading}>
      {isLoading ? 'Loading' : 'Apply'}
    </Button>
  );
}

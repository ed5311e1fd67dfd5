import { Button, Loader } from '@mantine/core';
import { CallError } from '../../shared/api/call-error.ts';
import { failureText } from '../../shared/session/failure-text.ts';
import classes from './login-page.module.css';

type Props = { what: string; error: Error | null; isFetching: boolean; onRetry: () => void };

/** Shown while the server checks a link, and when it could not. */
export function LinkCheck({ what, error, isFetching, onRetry }: Props) {
  if (error === null || isFetching) {
    return (
      <output className={classes['waiting']}>
        <Loader size="sm" /> Checking the {what}…
      </output>
    );
  }
  return (
    <>
      <p className={classes['text']} role="alert">
        {error instanceof CallError ? failureText(error) : `The ${what} could not be checked.`}
      </p>
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    </>
  );
}

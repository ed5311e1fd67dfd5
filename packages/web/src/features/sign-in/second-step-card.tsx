import { Title } from '@mantine/core';
import type { ComponentProps } from 'react';
import { SecondStepForm } from '../../shared/session/second-step.tsx';
import { LoginFrame } from './login-frame.tsx';
import classes from './login-page.module.css';

/** The second step of a sign-in in the frame of the login pages. */
export function SecondStepCard(props: ComponentProps<typeof SecondStepForm>) {
  return (
    <LoginFrame>
      <Title order={1} className={classes['heading'] ?? ''}>
        Confirm that it is you
      </Title>
      <SecondStepForm {...props} />
    </LoginFrame>
  );
}

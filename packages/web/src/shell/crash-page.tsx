import { Button } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { IconAlertTriangle } from '@tabler/icons-react';
import { StatePanel } from '../shared/ui/state-panel.tsx';

/** Stands in, inside the layout, for a page that broke, with a way to try again. */
export function CrashPage({ reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <StatePanel
      icon={IconAlertTriangle}
      title="This page broke"
      tone="danger"
      order={1}
      action={<Button onClick={retry}>Try again</Button>}
    >
      Something went wrong while showing it. Your data is untouched.
    </StatePanel>
  );
}

/** The same where no layout stands around it. */
export function BareCrashPage(props: ErrorComponentProps) {
  return (
    <main>
      <CrashPage {...props} />
    </main>
  );
}

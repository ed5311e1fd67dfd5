import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { StatePanel } from '../shared/ui/state-panel.tsx';

/** Shown when the console's settings could not be read: nothing else can work then. */
export function FailedStart({ onRetry }: { onRetry: () => void }) {
  return (
    <main>
      <StatePanel
        icon={IconPlugConnectedX}
        title="The console cannot be reached"
        tone="danger"
        order={1}
        action={<Button onClick={onRetry}>Try again</Button>}
      >
        The server did not answer. It may be restarting. The page opens by itself once it answers.
      </StatePanel>
    </main>
  );
}

import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '../ui/copy.tsx';
import { useUnsavedWork } from '../unsaved-work.ts';
import classes from './tokens.module.css';

/** A new token, which is shown once, with an example of its use. `onDone` comes after the reader says that it is stored. */
export function TokenSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [isStored, setIsStored] = useState(false);
  useUnsavedWork(!isStored);
  const command = `curl -H "Authorization: Bearer ${secret}" ${window.location.origin}/api/sanctum/user`;
  return (
    <Stack gap="sm">
      <Alert color="info" variant="light" p="xs" icon={<IconInfoCircle size={18} aria-hidden />}>
        Store the token now. It is never shown again. Anybody who has it can use it.
      </Alert>
      <code className={classes['secret']} data-testid="token-secret">
        {secret}
      </code>
      <pre className={classes['command']} aria-label="Example">
        {command.replace(secret, '$TOKEN')}
      </pre>
      <Group gap="xs">
        <CopyButton label="Copy token" text={secret} />
        <CopyButton label="Copy as curl" text={command} isCommand />
      </Group>
      <Checkbox label="I have stored the token" checked={isStored} onChange={(event) => setIsStored(event.currentTarget.checked)} />
      <Group justify="flex-end">
        <Button disabled={!isStored} onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

import { Alert, Button, Group, Stack } from '@mantine/core';
import { channelLimits } from '@switchyard/contract/channels';
import { IconInfoCircle } from '@tabler/icons-react';
import { CopyBox, CopyButton } from '../../shared/ui/copy.tsx';
import { Popup } from '../../shared/ui/popup.tsx';

type Props = {
  /** The secret; null while the dialog is closed. */
  secret: string | null;
  /** Whether it replaces another one. */
  isRotated: boolean;
  onClose: () => void;
};

/** Shows the signing secret of a webhook, which is never shown again. */
export function SecretDialog({ secret, isRotated, onClose }: Props) {
  return (
    <Popup
      isOpen={secret !== null}
      onClose={onClose}
      title="Signing secret"
      width={520}
      closeOnBackdrop={false}
      closeOnEscape={false}
      hasCloseIcon={false}
    >
      <Stack gap="sm">
        <Alert color="info" variant="light" p="xs" icon={<IconInfoCircle size={18} aria-hidden />}>
          Store the secret now. It is never shown again. The receiver uses it to verify that messages come from this console.
          {isRotated && ` Messages carry the old signature as well for ${channelLimits.oldSecretHours} hours.`}
        </Alert>
        {secret !== null && <CopyBox label="Secret" text={secret} />}
        <Group justify="space-between" gap="xs">
          <CopyButton label="Copy secret" text={secret} />
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    </Popup>
  );
}

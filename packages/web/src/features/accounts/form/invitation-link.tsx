import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { accountLinkHours } from '@switchyard/contract/account-links';
import { CopyButton } from '../../../shared/ui/copy.tsx';
import { Popup } from '../../../shared/ui/popup.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';

/** Shows the link of an invitation, which is never shown again. It closes only by its button, because a stray press would lose it. */
export function InvitationLink({ name, link, onClose }: { name: string; link: string; onClose: () => void }) {
  return (
    <Popup isOpen onClose={onClose} title="Invitation link" closeOnBackdrop={false} closeOnEscape={false} hasCloseIcon={false}>
      <Stack gap="sm">
        <Text size="sm">
          Send this link to{' '}
          <strong>
            <VisibleText text={name} />
          </strong>
          . It works once, for {accountLinkHours.invitation} hours, and is not shown again. Anybody who has it can use the account.
        </Text>
        <TextInput
          aria-label="Link"
          value={link}
          readOnly
          data-autofocus
          classNames={{ input: 'mono' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group gap="xs" justify="flex-end">
          <CopyButton label="Copy link" text={link} />
          <Button size="xs" onClick={onClose}>
            Done
          </Button>
        </Group>
      </Stack>
    </Popup>
  );
}

import { Avatar, Button, Divider, Popover, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconDevices, IconLogout } from '@tabler/icons-react';
import { useState } from 'react';
import { AppLink } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { signOut } from '../shared/session/sign-out.ts';
import { useSessionUser } from '../shared/session/use-session.ts';
import { askConfirm } from '../shared/ui/confirm.tsx';
import { unsavedWork } from '../shared/unsaved-work.ts';
import classes from './account-menu.module.css';

/** Signs out; what a form holds is asked about first. */
function leave(): void {
  if (!unsavedWork.isHeld()) {
    void signOut();
    return;
  }
  askConfirm({
    title: 'Sign out without saving?',
    lines: ['What you have changed on this page is not saved and will be lost.'],
    isDangerous: true,
    action: signOut,
  });
}

/** The avatar with who is signed in and 'Sign out' (SHELL-018, SHELL-019), and the way to the own sessions; the avatar is drawn here (O9). */
export function AccountMenu() {
  const user = useSessionUser();
  const [isOpen, setIsOpen] = useState(false);
  if (user === null) return null;
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      width={240}
      offset={12}
      withinPortal={false}
      trapFocus
      returnFocus
      transitionProps={{ duration: 120 }}
    >
      <Popover.Target>
        <UnstyledButton className={classes['button'] ?? ''} onClick={() => setIsOpen(!isOpen)}>
          <Avatar name={user.name} color="accent" variant="light" size={30} aria-hidden />
          <VisuallyHidden>Account of {user.name}</VisuallyHidden>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes['panel'] ?? ''} aria-label="Account">
        <div className={classes['person']}>
          <Text size="xs" c="dimmed">
            Logged As
          </Text>
          <Text fw={600} truncate>
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {user.email}
          </Text>
        </div>
        <Divider />
        <Button
          component={AppLink}
          href={paths.sessions()}
          className={classes['action'] ?? ''}
          variant="subtle"
          color="neutral"
          fullWidth
          justify="flex-start"
          leftSection={<IconDevices size={16} stroke={1.7} aria-hidden />}
          onClick={() => setIsOpen(false)}
        >
          My sessions
        </Button>
        <Button
          className={classes['action'] ?? ''}
          variant="subtle"
          color="neutral"
          fullWidth
          justify="flex-start"
          leftSection={<IconLogout size={16} stroke={1.7} aria-hidden />}
          onClick={leave}
        >
          Sign out
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

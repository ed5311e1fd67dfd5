import { Avatar, Button, Divider, Popover, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconDevices, IconInfoCircle, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { SessionUser } from '@switchyard/contract/session';
import { AppLink } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { signOut } from '../shared/session/sign-out.ts';
import { useSessionUser } from '../shared/session/use-session.ts';
import { useSettings } from '../shared/settings.ts';
import { askConfirm } from '../shared/ui/confirm.tsx';
import { unsavedWork } from '../shared/unsaved-work.ts';
import { AboutBox } from './about-box.tsx';
import classes from './account-menu.module.css';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import { withMarks } from '../shared/ui/hidden-characters.ts';

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

const entry = {
  className: classes['action'] ?? '',
  variant: 'subtle',
  color: 'neutral',
  fullWidth: true,
  justify: 'flex-start',
} as const;

/** The avatar with who is signed in and 'Sign out' (SHELL-018, SHELL-019), and the ways to the own account, its sessions and the about box; the avatar is drawn here (O9). */
export function AccountMenu() {
  const user = useSessionUser();
  const [isAbout, setIsAbout] = useState(false);
  if (user === null) return null;
  return (
    <>
      <Menu user={user} onAbout={() => setIsAbout(true)} />
      <AboutBox isOpen={isAbout} onClose={() => setIsAbout(false)} />
    </>
  );
}

function Menu({ user, onAbout }: { user: Pick<SessionUser, 'name' | 'email'>; onAbout: () => void }) {
  const { productName } = useSettings();
  const [isOpen, setIsOpen] = useState(false);
  const avatar = useRef<HTMLButtonElement>(null);
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
        <UnstyledButton ref={avatar} className={classes['button'] ?? ''} onClick={() => setIsOpen(!isOpen)}>
          <Avatar name={user.name} color="accent" variant="light" size={30} aria-hidden />
          <VisuallyHidden>Account of {withMarks(user.name)}</VisuallyHidden>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes['panel'] ?? ''} aria-label="Account">
        <div className={classes['person']}>
          <Text size="xs" c="dimmed">
            Logged As
          </Text>
          <Text fw={600} truncate>
            <VisibleText text={user.name} />
          </Text>
          <Text size="xs" c="dimmed" truncate>
            <VisibleText text={user.email} />
          </Text>
        </div>
        <Divider />
        <Button
          {...entry}
          component={AppLink}
          href={paths.account()}
          leftSection={<IconUserCircle size={16} stroke={1.7} aria-hidden />}
          onClick={() => setIsOpen(false)}
        >
          My account
        </Button>
        <Button
          {...entry}
          component={AppLink}
          href={paths.sessions()}
          leftSection={<IconDevices size={16} stroke={1.7} aria-hidden />}
          onClick={() => setIsOpen(false)}
        >
          My sessions
        </Button>
        <Button
          {...entry}
          leftSection={<IconInfoCircle size={16} stroke={1.7} aria-hidden />}
          onClick={() => {
            // What opens next gives the focus back to where it is now, and this menu is then gone.
            avatar.current?.focus();
            setIsOpen(false);
            onAbout();
          }}
        >
          About {productName}
        </Button>
        <Button {...entry} leftSection={<IconLogout size={16} stroke={1.7} aria-hidden />} onClick={leave}>
          Sign out
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

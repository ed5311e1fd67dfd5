import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { signOut } from '../shared/session/sign-out.ts';
import { useSessionUser } from '../shared/session/use-session.ts';

/** The avatar with who is signed in and 'Sign out' (SHELL-018, SHELL-019); the avatar is drawn here (O9). */
export function AccountMenu({ className }: { className: string }) {
  const user = useSessionUser();
  if (user === null) return null;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={className}>
          <Avatar name={user.name} color="accent" variant="light" size={30} aria-hidden />
          <VisuallyHidden>Account of {user.name}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Logged As</Menu.Label>
        <Text size="sm" fw={600} px="sm" truncate>
          {user.name}
        </Text>
        <Text size="xs" c="dimmed" px="sm" pb={4} truncate>
          {user.email}
        </Text>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.7} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

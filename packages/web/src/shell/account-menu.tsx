import {
  Anchor,
  Button,
  Divider,
  Popover,
  SegmentedControl,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { IconDevices, IconInfoCircle, IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useRef, useState, type ReactNode } from 'react';
import { getBuild } from '@switchyard/contract/settings';
import type { SessionUser } from '@switchyard/contract/session';
import { useQuery } from '@tanstack/react-query';
import { call } from '../shared/api/call.ts';
import { AppLink } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { signOut } from '../shared/session/sign-out.ts';
import { useSessionUser } from '../shared/session/use-session.ts';
import { viewAs } from '../shared/session/view-as.ts';
import { useSettings } from '../shared/settings.ts';
import { askConfirm } from '../shared/ui/confirm.tsx';
import { unsavedWork } from '../shared/unsaved-work.ts';
import classes from './account-menu.module.css';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import { withMarks } from '../shared/ui/hidden-characters.ts';
import { dataSources, type DataSource } from '@switchyard/contract/data-sources';
import { Popup } from '../shared/ui/popup.tsx';
import { isShortcutHelpOpen } from './shortcuts/use-shortcuts.ts';

/** Signs out, after asking when a form holds unsaved input. */
export function requestSignOut(): void {
  if (!unsavedWork.isHeld()) {
    signOut();
    return;
  }
  askConfirm({
    title: 'Sign out without saving?',
    lines: ['Your changes on this page are not saved and will be lost.'],
    isDangerous: true,
    isLocal: true,
    action: async () => signOut(),
  });
}

const entry = {
  className: classes['action'] ?? '',
  variant: 'subtle',
  color: 'neutral',
  fullWidth: true,
  justify: 'flex-start',
} as const;

/** The first letters of the first two words of a name, or of a single word. */
function initialsOf(name: string): string {
  const words = name.split(' ');
  return (
    words.length === 1
      ? name.slice(0, 2)
      : words
          .map(([first = '']) => first)
          .slice(0, 2)
          .join('')
  ).toUpperCase();
}

/** The menu of the signed-in account: name, own account, own sessions, about box and sign-out. The avatar is drawn locally. */
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
  const isView = viewAs.get() !== null;
  const [isOpen, setIsOpen] = useState(false);
  const avatar = useRef<HTMLButtonElement>(null);
  const openBox = (open: () => void): void => {
    // A box returns the focus to the element that has it now; the menu will be unmounted by then.
    avatar.current?.focus();
    setIsOpen(false);
    open();
  };
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
          <span className={classes['initials']} aria-hidden>
            {initialsOf(user.name)}
          </span>
          <VisuallyHidden>Account of {withMarks(user.name)}</VisuallyHidden>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes['panel'] ?? ''} aria-label="Account">
        <div className={classes['person']}>
          <Text size="xs" c="dimmed">
            {isView ? 'Viewing as' : 'Logged As'}
          </Text>
          <Text fw={600} truncate>
            <VisibleText text={user.name} />
          </Text>
          <Text size="xs" c="dimmed" truncate>
            <VisibleText text={user.email} />
          </Text>
        </div>
        <Divider />
        {!isView && <OwnPages onOpen={() => setIsOpen(false)} />}
        <Button
          {...entry}
          visibleFrom="sm"
          leftSection={<IconKeyboard size={16} stroke={1.7} aria-hidden />}
          onClick={() => openBox(() => isShortcutHelpOpen.set(true))}
        >
          Keyboard shortcuts
        </Button>
        <Button {...entry} leftSection={<IconInfoCircle size={16} stroke={1.7} aria-hidden />} onClick={() => openBox(onAbout)}>
          About {productName}
        </Button>
        <Button {...entry} leftSection={<IconLogout size={16} stroke={1.7} aria-hidden />} onClick={requestSignOut}>
          Sign out
        </Button>
        <Divider />
        <ThemeChoice />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Pages of the reader's own account, which views do not show. */
function OwnPages({ onOpen }: { onOpen: () => void }) {
  return (
    <>
      <Button
        {...entry}
        component={AppLink}
        href={paths.account()}
        leftSection={<IconUserCircle size={16} stroke={1.7} aria-hidden />}
        onClick={onOpen}
      >
        My account
      </Button>
      <Button
        {...entry}
        component={AppLink}
        href={paths.sessions()}
        leftSection={<IconDevices size={16} stroke={1.7} aria-hidden />}
        onClick={onOpen}
      >
        My sessions
      </Button>
    </>
  );
}

/** The theme of this device: light, dark, or that of the system. */
function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={classes['theme']}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Theme"
        value={colorScheme}
        onChange={setColorScheme}
        data={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'auto', label: 'System' },
        ]}
      />
    </div>
  );
}

/** The version and licence of the product, and the sources and licences of its packages and data. */
function AboutBox({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { productName, version } = useSettings();
  return (
    <Popup isOpen={isOpen} onClose={onClose} title={`About ${productName}`} width={520}>
      <dl className={classes['facts']}>
        <dt>Version</dt>
        <dd className="tabular">{version}</dd>
        <Commit />
        <dt>Licence</dt>
        <dd>
          <ExternalLink href="/licence.txt">MIT</ExternalLink>
        </dd>
        <dt>Made with</dt>
        <dd>
          <ExternalLink href="/licences.txt">Packages, icons, flags and typefaces with their licences</ExternalLink>
        </dd>
      </dl>
      <h3 className={classes['heading']}>Open data</h3>
      <ul className={classes['sources']}>
        {dataSources.map((source) => (
          <Source key={source.text} source={source} />
        ))}
      </ul>
    </Popup>
  );
}

/** The commit of the server, which support asks for. Pages stay open over an upgrade, so it is read each time. */
function Commit() {
  const { data } = useQuery({ queryKey: ['build'], queryFn: () => call(getBuild, { isSilent: true }), staleTime: 0 });
  const commit = data?.data.commit;
  if (commit === undefined || commit === null) return null;
  return (
    <>
      <dt>Commit</dt>
      <dd className="tabular">{commit.slice(0, 12)}</dd>
    </>
  );
}

function Source({ source: { text, licence, licenceUrl, sources } }: { source: DataSource }) {
  return (
    <li>
      {text} (<ExternalLink href={licenceUrl}>{licence}</ExternalLink>)
      <div className={classes['dimmed']}>
        {sources.map(({ name, url }, nth) => (
          <span key={name}>
            {nth > 0 && ' · '}
            <ExternalLink href={url}>{name}</ExternalLink>
          </span>
        ))}
      </div>
    </li>
  );
}

/** An external link. It opens in a new tab, so unsaved input is not lost. */
function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" inherit underline="always">
      {children}
    </Anchor>
  );
}

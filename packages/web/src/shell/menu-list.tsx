import { Menu, Tooltip, UnstyledButton, Drawer } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { z } from 'zod';
import { useStore } from '../shared/external-store.ts';
import { localSettings } from '../shared/local-settings.ts';
import { AppLink } from '../shared/navigation.tsx';
import type { MenuCount } from './console-routes.ts';
import classes from './menu-list.module.css';
import type { MenuEntry, MenuGroup, MenuLink } from './menu.ts';
import { useSettings } from '../shared/settings.ts';
import { Wordmark } from '../shared/ui/wordmark.tsx';
import { ServerClock } from './server-clock.tsx';

type MenuListProps = {
  menu: readonly MenuEntry[];
  /** Icons only, with their labels as tooltips. */
  isCollapsed?: boolean;
  onFollow?: () => void;
};

/** The entries of the sidebar and of the drawer. */
export function MenuList({ menu, isCollapsed = false, onFollow }: MenuListProps) {
  const follow = onFollow === undefined ? {} : { onFollow };
  return (
    <ul className={classes['list']} data-collapsed={isCollapsed || undefined}>
      {menu.map((entry) => (
        <li key={entry.label}>
          {entry.kind === 'link' && <Entry link={entry} isCollapsed={isCollapsed} {...follow} />}
          {entry.kind === 'group' && !isCollapsed && <Group group={entry} {...follow} />}
          {entry.kind === 'group' && isCollapsed && <CollapsedGroup group={entry} />}
        </li>
      ))}
    </ul>
  );
}

function Entry({ link, isCollapsed, onFollow }: { link: MenuLink; isCollapsed: boolean; onFollow?: () => void }) {
  const EntryIcon = link.icon;
  const entry = (
    <AppLink href={link.href} className={classes['entry'] ?? ''} {...(isCollapsed ? { 'aria-label': link.label } : {})} onClick={onFollow}>
      <EntryIcon size={18} stroke={1.7} aria-hidden />
      {!isCollapsed && link.label}
      <Counts links={[link]} />
    </AppLink>
  );
  return isCollapsed ? (
    <Tooltip label={link.label} position="right">
      {entry}
    </Tooltip>
  ) : (
    entry
  );
}

function Counts({ links }: { links: readonly MenuLink[] }) {
  return links.map(({ label, count }) => count && <Count key={label} store={count} />);
}

/** How much of a page waits for somebody; nothing while it is 0. */
function Count({ store }: { store: MenuCount }) {
  const count = useStore(store);
  return count > 0 && <span className={classes['count']}>{count > 99 ? '99+' : count}</span>;
}

/** The groups that are closed on this device. */
const closedGroups = localSettings.json('menu_closed_groups', z.array(z.string()));

function Group({ group: { label, icon: GroupIcon, links }, onFollow }: { group: MenuGroup; onFollow?: () => void }) {
  const [isOpen, setIsOpen] = useState(() => closedGroups.get()?.includes(label) !== true);
  const toggle = (): void => {
    const others = (closedGroups.get() ?? []).filter((closed) => closed !== label);
    closedGroups.set(isOpen ? [...others, label] : others);
    setIsOpen(!isOpen);
  };
  return (
    <>
      <UnstyledButton className={classes['entry'] ?? ''} aria-expanded={isOpen} onClick={toggle}>
        <GroupIcon size={18} stroke={1.7} aria-hidden />
        {label}
        {!isOpen && <Counts links={links} />}
        <IconChevronRight className={classes['chevron'] ?? ''} size={14} aria-hidden />
      </UnstyledButton>
      {isOpen && (
        <ul className={classes['children']}>
          {links.map((link) => (
            <li key={link.label}>
              <AppLink href={link.href} className={classes['entry'] ?? ''} onClick={onFollow}>
                {link.label}
                <Counts links={[link]} />
              </AppLink>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function CollapsedGroup({ group }: { group: MenuGroup }) {
  const GroupIcon = group.icon;
  return (
    <Menu position="right-start" trigger="click-hover" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes['entry'] ?? ''} aria-label={group.label}>
          <GroupIcon size={18} stroke={1.7} aria-hidden />
          <Counts links={group.links} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{group.label}</Menu.Label>
        {group.links.map((link) => (
          <Menu.Item key={link.label} component={AppLink} href={link.href} rightSection={<Counts links={[link]} />}>
            {link.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The sidebar as a drawer below 1140 px. It includes the server time, which does not fit in the header of phones. */
export function MobileMenu({ menu, isOpen, onClose }: { menu: readonly MenuEntry[]; isOpen: boolean; onClose: () => void }) {
  const { productName } = useSettings();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size={280}
      padding="sm"
      title={<Wordmark productName={productName} />}
      hiddenFrom="lg"
      closeButtonProps={{ 'aria-label': 'Close menu' }}
      transitionProps={{ duration: 140 }}
    >
      <nav aria-label="Main" className={classes['nav']}>
        <MenuList menu={menu} onFollow={onClose} />
      </nav>
      <ServerClock className={classes['time'] ?? ''} isNamed />
    </Drawer>
  );
}

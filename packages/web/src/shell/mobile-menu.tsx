import { Drawer } from '@mantine/core';
import { useSettings } from '../shared/settings.ts';
import { Wordmark } from '../shared/ui/brand/wordmark.tsx';
import { MenuList } from './menu-list.tsx';
import type { MenuEntry } from './menu.ts';
import { ServerClock } from './server-clock.tsx';
import classes from './mobile-menu.module.css';

/** The sidebar as a drawer on screens below 1140 px, with the server's time, for which the header of phones has no room (AMB-035, SHELL-042). */
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

import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import type { LocalSetting } from '../shared/local-settings.ts';
import classes from './collapsible-panel.module.css';

type Props = {
  title: string;
  /** Stores on this device whether the panel is open. */
  setting: LocalSetting<boolean>;
  /** Whether it is open until the reader opens or closes it. */
  isOpenAtFirst: boolean;
  /** Mounted only while the panel is open. */
  children: ReactNode;
};

/** A part of a page above its rows that can be collapsed. */
export function CollapsiblePanel({ title, setting, isOpenAtFirst, children }: Props) {
  const [isOpen, setOpen] = useState(() => setting.get() ?? isOpenAtFirst);
  const body = useId();
  const toggle = (): void => {
    setOpen(!isOpen);
    setting.set(!isOpen);
  };
  return (
    <section className={classes['panel']} aria-label={title} data-screen-only>
      <UnstyledButton className={classes['toggle'] ?? ''} aria-expanded={isOpen} aria-controls={body} onClick={toggle}>
        <IconChevronDown size={14} aria-hidden /> {title}
      </UnstyledButton>
      <div id={body}>{isOpen && children}</div>
    </section>
  );
}

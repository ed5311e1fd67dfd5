import { Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './state-panel.module.css';

type StatePanelProps = {
  icon: Icon;
  title: string;
  /** One sentence on what happened. */
  children?: ReactNode;
  /** The one next step. */
  action?: ReactNode;
  tone?: 'neutral' | 'warning' | 'danger';
  /** Heading level in its page. */
  order?: 1 | 2 | 3;
};

/** The common layout of empty, not-found, failed and forbidden states, each with a next step. */
export function StatePanel({ icon: PanelIcon, title, children, action, tone = 'neutral', order = 2 }: StatePanelProps) {
  return (
    <div className={classes['panel']}>
      <div className={classes['icon']} data-tone={tone}>
        <PanelIcon size={22} stroke={1.6} aria-hidden />
      </div>
      <Title order={order} className={classes['title'] ?? ''}>
        {title}
      </Title>
      {children !== undefined && <div className={classes['text']}>{children}</div>}
      {action !== undefined && <div className={classes['action']}>{action}</div>}
    </div>
  );
}

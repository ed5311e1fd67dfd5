import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './blinking-notice.module.css';

type Props = { children: ReactNode; tone?: 'warning' | 'danger'; /** A button at its end; it does not blink. */ action?: ReactNode };

/** A notice that blinks for four seconds. With reduced motion it does not blink (WCAG 2.2.2). */
export function BlinkingNotice({ children, tone = 'warning', action }: Props) {
  return (
    <div className={classes['notice']} data-tone={tone}>
      <output className={classes['text']}>
        <IconAlertTriangle className={classes['icon']} size={18} stroke={1.8} aria-hidden />
        <span>{children}</span>
      </output>
      {action}
    </div>
  );
}

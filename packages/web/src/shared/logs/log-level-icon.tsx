import { VisuallyHidden } from '@mantine/core';
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconBellRinging,
  IconBug,
  IconCircleX,
  IconFlame,
  IconInfoCircle,
  IconNote,
  type Icon,
} from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { iconSizes, type IconSize } from '../ui/hover-tooltip.tsx';
import classes from './log-level-icon.module.css';
import type { LogLevel } from '@switchyard/contract/log-viewer';

/** Each level differs in shape as well as in colour. */
const icons: Record<LogLevel, Icon> = {
  emergency: IconFlame,
  alert: IconBellRinging,
  critical: IconAlertOctagon,
  error: IconCircleX,
  warning: IconAlertTriangle,
  notice: IconNote,
  info: IconInfoCircle,
  debug: IconBug,
};

type Props = {
  level: LogLevel;
  size?: IconSize;
  /** Hides the icon from assistive technology, because the level's name is beside it. */
  isDecorative?: boolean;
};

/** The icon of a log level in its fixed colour, the same in tables, statistics and entries. */
export function LogLevelIcon({ level, size = 'm', isDecorative = false }: Props) {
  const Picture = icons[level];
  const style: CSSProperties & Record<'--level', string> = { '--level': `var(--sy-level-${level})` };
  return (
    <span className={classes['icon']} style={style} title={level} data-level={level}>
      <Picture size={iconSizes[size]} stroke={1.8} aria-hidden />
      {!isDecorative && <VisuallyHidden>{level}</VisuallyHidden>}
    </span>
  );
}

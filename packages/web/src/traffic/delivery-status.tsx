import { IconCheck, IconClock, IconCopy, IconSend, IconX, type Icon } from '@tabler/icons-react';
import { HoverTooltip } from '../shared/ui/hover-tooltip.tsx';
import { TitledText } from '../shared/ui/text-cell.tsx';
import classes from './delivery-status.module.css';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import { ValueMenu } from './value-menu.tsx';

type StatusStyle = { icon: Icon; tone: 'success' | 'danger' | 'warning' | 'neutral' };

/** Statuses with an icon; any other is plain text. */
const styles: Readonly<Record<string, StatusStyle>> = {
  success: { icon: IconCheck, tone: 'success' },
  sent: { icon: IconSend, tone: 'success' },
  pending: { icon: IconClock, tone: 'neutral' },
  duplicate: { icon: IconCopy, tone: 'warning' },
  error: { icon: IconX, tone: 'danger' },
};

type Props = {
  status: string;
  error: string | null;
  /** Gives the status a menu. */
  hasMenu?: boolean;
};

/** The status of a push or a conversion with its icon; an error has its message in a tooltip. */
export function DeliveryStatus({ status, error, hasMenu = false }: Props) {
  const style = Object.hasOwn(styles, status) ? styles[status] : undefined;
  const word =
    style === undefined ? (
      <TitledText text={status} />
    ) : (
      <span className={classes['status']} data-tone={style.tone}>
        <style.icon size={15} stroke={2.2} aria-hidden data-picture={status} />
        {status}
      </span>
    );
  const label = hasMenu ? (
    <ValueMenu kind="status" value={status}>
      {word}
    </ValueMenu>
  ) : (
    word
  );
  if (status !== 'error' || error === null || error === '') return label;
  return (
    <HoverTooltip
      label={
        <span className={classes['error']}>
          <VisibleText text={error} />
        </span>
      }
      isFocusable={!hasMenu}
      className={classes['target'] ?? ''}
    >
      {label}
    </HoverTooltip>
  );
}

import { IconCheck, IconClock, IconCopy, IconSend, IconX, type Icon } from '@tabler/icons-react';
import { HoverTooltip } from '../shared/ui/hover-tooltip.tsx';
import classes from './delivery-status.module.css';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import { withMarks } from '../shared/ui/hidden-characters.ts';

type Look = { icon: Icon; tone: 'success' | 'danger' | 'warning' | 'neutral' };

/** Statuses with an icon; any other is plain text. */
const looks: Readonly<Record<string, Look>> = {
  success: { icon: IconCheck, tone: 'success' },
  sent: { icon: IconSend, tone: 'success' },
  pending: { icon: IconClock, tone: 'neutral' },
  duplicate: { icon: IconCopy, tone: 'warning' },
  error: { icon: IconX, tone: 'danger' },
};

/** The status of a push or a conversion with its icon; an error has its message in a tooltip. */
export function DeliveryStatus({ status, error }: { status: string; error: string | null }) {
  const look = Object.hasOwn(looks, status) ? looks[status] : undefined;
  if (look === undefined)
    return (
      <span title={withMarks(status)}>
        <VisibleText text={status} />
      </span>
    );
  const { icon: Picture, tone } = look;
  const label = (
    <span className={classes['status']} data-tone={tone}>
      <Picture size={15} stroke={2.2} aria-hidden data-picture={status} />
      {status}
    </span>
  );
  if (status !== 'error' || error === null || error === '') return label;
  return (
    <HoverTooltip
      label={
        <span className={classes['error']}>
          <VisibleText text={error} />
        </span>
      }
      isFocusable
      className={classes['target'] ?? ''}
    >
      {label}
    </HoverTooltip>
  );
}

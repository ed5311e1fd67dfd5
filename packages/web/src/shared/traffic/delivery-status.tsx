import { IconCheck, IconClock, IconCopy, IconSend, IconX, type Icon } from '@tabler/icons-react';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';
import classes from './delivery-status.module.css';
import { VisibleText } from '../ui/visible-text.tsx';
import { withMarks } from '../ui/hidden-characters.ts';

type Look = { icon: Icon; tone: 'success' | 'danger' | 'warning' | 'neutral' };

/** Statuses with a picture of their own (CONV-020 to CONV-022, AMB-147); any other is plain text (AMB-151). */
const looks: Readonly<Record<string, Look>> = {
  success: { icon: IconCheck, tone: 'success' },
  sent: { icon: IconSend, tone: 'success' },
  pending: { icon: IconClock, tone: 'neutral' },
  duplicate: { icon: IconCopy, tone: 'warning' },
  error: { icon: IconX, tone: 'danger' },
};

/** What became of a push or a conversion: a picture beside its word, the error in a tooltip where there is one. */
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

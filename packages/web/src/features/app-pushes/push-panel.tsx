import type { PushRow } from '@switchyard/contract/pushes';
import { JsonPanel } from '../../shared/json-panel/json-panel.tsx';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { DeliveryStatus } from '../../shared/traffic/delivery-status.tsx';
import classes from './push-preview.module.css';
import { PushPreview } from './push-preview.tsx';

type Props = {
  push: PushRow;
  onClose: () => void;
  /** Goes to the row above (-1) or below (1). */
  onStep: (by: -1 | 1) => void;
};

/** A push as its receiver saw it, with its message as JSON, beside the list. */
export function PushPanel({ push, onClose, onStep }: Props) {
  const displayDate = useDisplayDate();
  return (
    <JsonPanel
      noun="push"
      id={push.id}
      row={push}
      onClose={onClose}
      onStep={onStep}
      facts={
        <div className={classes['facts']}>
          <PushPreview message={push.push_message} />
          <div className={classes['line']}>
            <DeliveryStatus status={push.status} error={null} />
            <span className="tabular">{displayDate(push.send_at)}</span>
            <span className={classes['name']}>{push.push_name}</span>
          </div>
        </div>
      }
      parts={[
        { title: 'Message', body: push.push_message },
        { title: 'Error', body: push.error, tone: push.error === null ? undefined : 'danger' },
      ]}
    />
  );
}

import type { RequestRow } from '@switchyard/contract/requests';
import { JsonPanel } from '../json-panel/json-panel.tsx';
import { useDisplayDate } from '../time/server-time.ts';
import { BotLabels } from './bot-labels.tsx';
import { ClientAddress } from './client-address.tsx';
import classes from './request-panel.module.css';
import { RequestTypeLabel } from './request-type-label.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

type Props = {
  request: RequestRow;
  onClose: () => void;
  /** Goes to the row above (-1) or below (1). */
  onStep: (by: -1 | 1) => void;
};

/** Everything a request carried and was answered, beside the list (EVT-032, REQ-022). */
export function RequestPanel({ request, onClose, onStep }: Props) {
  const displayDate = useDisplayDate();
  return (
    <JsonPanel
      noun="request"
      id={request.id}
      row={request}
      onClose={onClose}
      onStep={onStep}
      facts={
        <div className={classes['facts']}>
          <RequestTypeLabel type={request.type} />
          <span className="tabular">{displayDate(request.date)}</span>
          <ClientAddress country={request.country} ip={request.ip} />
          <BotLabels bot={request.bot} />
          <span className={classes['app']}>
            <VisibleText text={request.app_bundle} />
          </span>
        </div>
      }
      parts={[
        { title: 'User agent', body: request.user_agent },
        { title: 'Request body', body: request.body_request },
        { title: 'Response body', body: request.body_response },
        { title: 'Error', body: request.error, tone: request.error === null ? undefined : 'danger' },
        { title: 'Additional data', body: request.additional_data },
      ]}
    />
  );
}

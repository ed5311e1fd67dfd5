import type { RequestRow } from '@switchyard/contract/requests';
import { JsonPanel } from '../shared/json-panel/json-panel.tsx';
import { useDisplayDate } from '../shared/time/server-time.ts';
import { BotLabels } from './bot-labels.tsx';
import { ClientAddress } from './client-address.tsx';
import type { PanelProps } from './traffic-tab.tsx';
import classes from './request-panel.module.css';
import { RequestTypeLabel } from './request-type-label.tsx';
import { VisibleText } from '../shared/ui/visible-text.tsx';

/** A request and its response in full, beside the list. */
export function RequestPanel({ row: request, onClose, onStep }: PanelProps<RequestRow>) {
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

import type { RequestRow } from '@switchyard/contract/requests';
import { JsonPanel } from '../../shared/json-panel/json-panel.tsx';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { DeliveryStatus } from '../../traffic/delivery-status.tsx';
import { RequestPanel } from '../../traffic/request-panel.tsx';
import type { PanelProps } from '../../traffic/traffic-tab.tsx';
import { useRequestDetails } from '../../traffic/use-open-request.ts';
import classes from './subjects.module.css';
import type { Entry } from './timeline-entry.ts';

/** An entry of a timeline in full, beside it. */
export function EntryPanel({ row, ...controls }: PanelProps<Entry>) {
  const displayDate = useDisplayDate();
  switch (row.kind) {
    case 'request':
      return <RequestEntryPanel row={row.request} {...controls} />;
    case 'push': {
      const { push } = row;
      return (
        <JsonPanel
          {...controls}
          noun="push"
          id={push.id}
          row={push}
          facts={
            <div className={classes['facts']}>
              <DeliveryStatus status={push.status} error={null} />
              <span className="tabular">{displayDate(push.send_at)}</span>
            </div>
          }
          parts={[
            { title: 'Message', body: push.push_message },
            { title: 'Error', body: push.error, tone: push.error === null ? undefined : 'danger' },
          ]}
        />
      );
    }
    case 'conversion': {
      const { conversion } = row;
      return (
        <JsonPanel
          {...controls}
          noun="conversion"
          id={conversion.id}
          row={conversion}
          facts={
            <div className={classes['facts']}>
              <DeliveryStatus status={conversion.status} error={null} />
              <span className="tabular">{displayDate(conversion.created_at)}</span>
            </div>
          }
          parts={[
            { title: 'Conversion', body: conversion },
            { title: 'Error', body: conversion.error, tone: conversion.error === null ? undefined : 'danger' },
          ]}
        />
      );
    }
    default: {
      const { log } = row;
      return (
        <JsonPanel
          {...controls}
          noun="log entry"
          id={log.position}
          row={log}
          facts={
            <div className={classes['facts']}>
              <span className="tabular">{displayDate(row.at)}</span>
              <AppLink href={paths.appLogDay(log.date)}>App log of {log.date}</AppLink>
            </div>
          }
          parts={[{ title: 'Message', body: log.message }]}
        />
      );
    }
  }
}

function RequestEntryPanel({ row, onClose, onStep }: PanelProps<RequestRow>) {
  const request = useRequestDetails(row.id);
  return <RequestPanel id={row.id} openedRequest={{ ...request, id: row.id, row, open: () => undefined, close: onClose, step: onStep }} />;
}

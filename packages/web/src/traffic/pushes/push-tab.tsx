import { downloadPushes } from '@switchyard/contract/delivery-exports';
import { listPushes, pushesQuery, type PushesQuery, type PushRow } from '@switchyard/contract/pushes';
import { call, open } from '../../shared/api/call.ts';
import { dayFilters } from '../../shared/listing/day-filters.tsx';
import { textFilter } from '../../shared/listing/filter-fields.tsx';
import { useServerOffset, useDisplayDate } from '../../shared/time/server-time.ts';
import { placeFilters, placeOf, placeValues } from '../place-columns.tsx';
import { TrafficTab, type PanelProps } from '../traffic-tab.tsx';
import type { ValueFilters } from '../value-actions.ts';
import { pushColumns } from './push-columns.tsx';
import { JsonPanel } from '../../shared/json-panel/json-panel.tsx';
import { DeliveryStatus } from '../delivery-status.tsx';
import classes from './push-preview.module.css';
import { PushPreview } from './push-preview.tsx';

const values: ValueFilters<PushesQuery> = {
  uid: { only: 'uid' },
  campaign: { only: 'pushCampaignUid' },
  push: { only: 'pushId' },
  ...placeValues,
};

/** Longest search text for the three uids. */
const maxLength = 255;

/** Pushes of one app. */
export function PushTab({ app: { id, name } }: { app: { id: number; name: string } }) {
  const params = { id };
  const days = dayFilters(useServerOffset());
  return (
    <TrafficTab
      declaration={{
        name: `pushes-${id}`,
        settingsName: 'pushes',
        viewList: 'pushes',
        noun: 'pushes',
        schema: pushesQuery,
        load: (query, signal, hasOrigin) => call(listPushes, { params, query: { ...query, ...placeOf(hasOrigin) }, signal }),
        filters: (rows) => ({
          uid: textFilter({ label: 'Uid', maxLength }),
          pushCampaignUid: textFilter({ label: 'Push campaign uid', chip: 'Campaign', width: 148, maxLength }),
          pushId: textFilter({ label: 'Push id', width: 124, maxLength }),
          ...days,
          ...placeFilters(rows),
        }),
        values,
        columns: pushColumns,
        download: {
          fileName: { of: name, list: 'pushes' },
          open: (query, options) => open(downloadPushes, { params, query: { ...query, place: true }, ...options }),
          count: async (query, options) => (await call(listPushes, { params, query: { ...query, limit: 1 }, ...options })).pagination.total,
        },
        Panel: PushPanel,
        empty: { title: 'No pushes yet', text: 'Pushes of this app appear here as soon as traffic servers report them.' },
      }}
    />
  );
}

/** A push as its receiver saw it, with its message as JSON, beside the list. */
function PushPanel({ row: push, onClose, onStep }: PanelProps<PushRow>) {
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

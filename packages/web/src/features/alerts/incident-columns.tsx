import type { Incident } from '@switchyard/contract/alerts';
import { durationText, formatDateTime, fromDate, parseDateTime } from '@switchyard/contract/dates';
import { IconChecks, IconExternalLink } from '@tabler/icons-react';
import { SeverityMark, StateMark } from '../../shared/alerts/alert-marks.tsx';
import { affectedText, amountText, thresholdText } from '../../shared/alerts/alert-words.ts';
import { incidentPlaces } from '../../shared/alerts/incident-places.ts';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { RowAction } from '../../shared/listing/row-action.tsx';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { TextCell, TitledText } from '../../shared/ui/text-cell.tsx';
import { useMinute } from '../../shared/time/use-minute.ts';

type Input = {
  displayDate: (text: string) => string;
  permissions: readonly string[];
  onAcknowledge: (incident: Incident) => void;
};

/** The columns of the list of incidents. */
export function incidentColumns({ displayDate, permissions, onAcknowledge }: Input): ListColumn<Incident>[] {
  return [
    {
      id: 'reason',
      cellName: 'Incident',
      cellNameOrderAble: 'severity',
      tooltip: 'Sorted by severity',
      // Without a least width, so that the text stands whole.
      width: 420,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: ({ id, reason, severity }) => (
        <>
          <SeverityMark severity={severity} />{' '}
          <AppLink href={paths.incident(id)} className="name-link" title={withMarks(reason)}>
            <VisibleText text={reason} />
          </AppLink>
        </>
      ),
    },
    {
      id: 'subject',
      cellName: 'App or server',
      cellNameOrderAble: 'subject',
      width: 150,
      minWidth: 100,
      isMain: true,
      cell: ({ app, server }) => <TextCell text={app?.name ?? server?.name ?? ''} />,
    },
    {
      id: 'since',
      cellName: 'Age',
      cellNameOrderAble: 'since',
      tooltip: 'How long it has been open, or how long it lasted. Sorted by its beginning',
      width: 96,
      cell: (incident) => <Age incident={incident} displayDate={displayDate} />,
    },
    {
      id: 'value',
      cellName: 'Value',
      cellNameOrderAble: 'value',
      width: 90,
      align: 'end',
      cell: ({ value, threshold, rule: { kind } }) =>
        value === null ? '-' : <span title={thresholdTitle(thresholdText(kind, threshold))}>{amountText(kind, value)}</span>,
    },
    { id: 'state', cellName: 'State', width: 110, isMain: true, cell: (incident) => <StateMark incident={incident} /> },
    {
      id: 'affected',
      cellName: 'Affected',
      width: 160,
      minWidth: 100,
      cell: (incident) => <TitledText text={affectedText(incident)} />,
    },
    {
      id: 'rule',
      cellName: 'Rule',
      width: 140,
      minWidth: 100,
      cell: ({ rule: { name } }) => <TitledText text={name} />,
    },
    {
      id: 'acknowledged',
      cellName: 'Acknowledged by',
      width: 130,
      minWidth: 90,
      cell: ({ acknowledged_by: by }) => (by === null ? '-' : <VisibleText text={by.name} />),
    },
    {
      id: 'resolved',
      cellName: 'Resolved',
      width: 150,
      isOptional: true,
      cell: ({ resolved_at: at }) => <span className="tabular">{at === null ? '-' : displayDate(at)}</span>,
    },
    {
      id: 'actions',
      cellName: 'Actions',
      width: 84,
      ...actionColumn,
      cell: (incident) => <Actions incident={incident} permissions={permissions} onAcknowledge={onAcknowledge} />,
    },
  ];
}

/** How long an incident has been open, or lasted. The tooltip says when it began. */
function Age({ incident, displayDate }: { incident: Incident; displayDate: Input['displayDate'] }) {
  const now = useMinute();
  const { started_at: from, resolved_at: until } = incident;
  const milliseconds = (parseDateTime(until ?? formatDateTime(fromDate(now))) - parseDateTime(from)) / 1000;
  return (
    <span className="tabular" title={`Since ${displayDate(from)}`}>
      {durationText(milliseconds)}
    </span>
  );
}

function thresholdTitle(threshold: string | null): string | undefined {
  return threshold === null ? undefined : `The rule fires at ${threshold}`;
}

function Actions({ incident, permissions, onAcknowledge }: { incident: Incident } & Pick<Input, 'permissions' | 'onAcknowledge'>) {
  const [place] = incidentPlaces(incident, permissions);
  const reason = withMarks(incident.reason);
  return (
    <>
      {place !== undefined && (
        <RowAction icon={IconExternalLink} label={`${place.label}: ${reason}`} title={place.label} href={place.href} />
      )}
      {incident.state === 'firing' && (
        <RowAction icon={IconChecks} label={`Acknowledge: ${reason}`} title="Acknowledge" onClick={() => onAcknowledge(incident)} />
      )}
    </>
  );
}

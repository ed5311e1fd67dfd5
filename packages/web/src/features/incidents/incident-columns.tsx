import type { Incident } from '@switchyard/contract/alerts';
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

type Input = {
  displayDate: (text: string) => string;
  permissions: readonly string[];
  onAcknowledge: (incident: Incident) => void;
};

/** The columns of the list of incidents. */
export function incidentColumns({ displayDate, permissions, onAcknowledge }: Input): ListColumn<Incident>[] {
  return [
    {
      id: 'severity',
      cellName: 'Severity',
      width: 96,
      isMain: true,
      isFixed: true,
      cell: ({ severity }) => <SeverityMark severity={severity} />,
    },
    {
      id: 'reason',
      cellName: 'Incident',
      width: 320,
      minWidth: 200,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: ({ id, reason }) => (
        <AppLink href={paths.incident(id)} className="name-link" title={withMarks(reason)}>
          <VisibleText text={reason} />
        </AppLink>
      ),
    },
    {
      id: 'subject',
      cellName: 'App or server',
      width: 150,
      minWidth: 100,
      isMain: true,
      cell: ({ app, server }) => <TextCell text={app?.name ?? server?.name ?? ''} />,
    },
    { id: 'state', cellName: 'State', width: 110, isMain: true, cell: (incident) => <StateMark incident={incident} /> },
    {
      id: 'since',
      cellName: 'Since',
      width: 150,
      cell: ({ started_at: at }) => <span className="tabular">{displayDate(at)}</span>,
    },
    {
      id: 'affected',
      cellName: 'Affected',
      width: 160,
      minWidth: 100,
      grows: true,
      cell: (incident) => <TitledText text={affectedText(incident)} />,
    },
    {
      id: 'value',
      cellName: 'Value',
      width: 90,
      align: 'end',
      cell: ({ value, threshold, rule: { kind } }) =>
        value === null ? '-' : <span title={thresholdTitle(thresholdText(kind, threshold))}>{amountText(kind, value)}</span>,
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

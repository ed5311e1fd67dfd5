import type { AlertSeverity, Incident, IncidentState } from '@switchyard/contract/alerts';
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle, type Icon } from '@tabler/icons-react';
import classes from './alert-marks.module.css';
import { severityNames, stateNames } from './alert-words.ts';

const marks: Readonly<Record<AlertSeverity, { icon: Icon; tone: string }>> = {
  critical: { icon: IconAlertCircle, tone: 'danger' },
  warning: { icon: IconAlertTriangle, tone: 'warning' },
  info: { icon: IconInfoCircle, tone: 'info' },
};

/** A severity as an icon and a word. */
export function SeverityMark({ severity }: { severity: AlertSeverity }) {
  const { icon: Picture, tone } = marks[severity];
  return (
    <span className={classes['mark']} data-tone={tone}>
      <Picture size={16} stroke={1.8} aria-hidden />
      {severityNames[severity]}
    </span>
  );
}

const stateTones: Readonly<Record<IncidentState, string>> = { firing: 'danger', acknowledged: 'warning', resolved: 'success' };

/** The state of an incident, and whether it is silenced. */
export function StateMark({ incident: { state, is_silenced: isSilenced } }: { incident: Pick<Incident, 'state' | 'is_silenced'> }) {
  return (
    <span className={classes['state']} data-tone={stateTones[state]}>
      {stateNames[state]}
      {isSilenced && state !== 'resolved' && ', silenced'}
    </span>
  );
}

import { Button } from '@mantine/core';
import { getIncident, incidentActParameter, type IncidentDetails } from '@switchyard/contract/alerts';
import { IconBellOff, IconChecks, IconExternalLink } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { SeverityMark, StateMark } from '../../shared/alerts/alert-marks.tsx';
import { amountText, kindWords, thresholdText } from '../../shared/alerts/alert-words.ts';
import { incidentPlaces } from '../../shared/alerts/incident-places.ts';
import { call } from '../../shared/api/call.ts';
import { LoadedEntity } from '../../shared/form/entity-page.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { AppLink, useOpenPath, useParameter } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { Fact } from '../../shared/ui/fact.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { IncidentChart } from './incident-chart.tsx';
import { incidentTabs } from './incident-tabs.ts';
import classes from './incidents.module.css';
import { IncidentTimeline } from './incident-timeline.tsx';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { Writes } from '../../shared/ui/read-only.tsx';

/** Milliseconds after which the page is loaded again. */
const refreshEvery = 60_000;

/** Loads an incident, and again each minute. */
function incidentQuery(id: number) {
  return {
    queryKey: [...listKey('incidents'), 'one', id],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { data } = await call(getIncident, { params: { id }, signal });
      return { ...data, name: data.rule.name };
    },
    staleTime: 0,
    gcTime: 0,
    refetchInterval: refreshEvery,
  };
}

/** The incident that the address names: what is wrong, what happened so far, and what can be done. */
export function IncidentPage() {
  return (
    <LoadedEntity
      noun="incident"
      listTitle="Incidents"
      listPath={paths.incidents()}
      query={incidentQuery}
      renderActions={(incident) => <Actions incident={incident} />}
    >
      {(incident) => <Details incident={incident} />}
    </LoadedEntity>
  );
}

function Actions({ incident }: { incident: IncidentDetails }) {
  const [act, setAct] = useParameter(incidentActParameter);
  const [isOpen, setIsOpen] = useState(act === 'acknowledge' && incident.state === 'firing');
  const mayChange = useMayChangeAlerts();
  const openPath = useOpenPath();
  const { rule, state, app, server } = incident;
  const silencePath =
    mayChange && rule.id !== null && state !== 'resolved'
      ? paths.incidents({
          startTabName: incidentTabs.silences,
          add: rule.id,
          ...(app !== null && { addApp: app.id }),
          ...(server !== null && { addServer: server.id }),
        })
      : null;
  // Links of mails open the dialog; only its button changes something.
  const showSilence = useEffectEvent(() => {
    if (act === 'silence' && silencePath !== null) openPath(silencePath, { replace: true });
  });
  useEffect(() => showSilence(), []);
  const close = (): void => {
    setIsOpen(false);
    setAct(null);
  };
  return (
    <>
      {silencePath !== null && (
        <Button
          component={AppLink}
          href={silencePath}
          size="compact-md"
          variant="default"
          leftSection={<IconBellOff size={16} aria-hidden />}
        >
          Silence
        </Button>
      )}
      {state === 'firing' && (
        <Writes>
          <Button size="compact-md" leftSection={<IconChecks size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
            Acknowledge
          </Button>
        </Writes>
      )}
      <AcknowledgeDialog incidents={isOpen ? incident : null} onClose={close} />
    </>
  );
}

function Details({ incident }: { incident: IncidentDetails }) {
  const displayDate = useDisplayDate();
  const permissions = useSessionUser()?.permissions ?? [];
  const { severity, reason, rule, affected, names, value, threshold, window } = incident;
  const places = incidentPlaces(incident, permissions);
  const limit = thresholdText(rule.kind, threshold);
  const rest = affected - names.length;
  return (
    <div className={classes['details']}>
      <section className={classes['card']} aria-labelledby="incident-reason">
        <div className={classes['marks']}>
          <SeverityMark severity={severity} />
          <StateMark incident={incident} />
        </div>
        <h2 id="incident-reason" className={classes['reason']}>
          <VisibleText text={reason} />
        </h2>
        {places.length > 0 && (
          <div className="wrap">
            {places.map(({ label, href }) => (
              <Button
                key={label}
                component={AppLink}
                href={href}
                size="xs"
                variant="default"
                leftSection={<IconExternalLink size={14} aria-hidden />}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
        <dl className={classes['facts']}>
          <Fact name="Rule">
            {rule.id === null ? (
              <>
                <VisibleText text={rule.name} /> (deleted)
              </>
            ) : (
              <AppLink href={paths.alertRuleEdit(rule.id)}>
                <VisibleText text={rule.name} />
              </AppLink>
            )}
          </Fact>
          <Fact name="Kind">{kindWords[rule.kind].name}</Fact>
          {incident.app !== null && (
            <Fact name="App">
              <VisibleText text={incident.app.name} />
            </Fact>
          )}
          {incident.server !== null && (
            <Fact name="Server">
              <VisibleText text={incident.server.name} />
            </Fact>
          )}
          {value !== null && <Fact name="Value">{amountText(rule.kind, value)}</Fact>}
          {limit !== null && <Fact name="Fires at">{limit}</Fact>}
          {window !== null && (
            <Fact name="Counted">
              {displayDate(window.from)} to {displayDate(window.until)}
            </Fact>
          )}
          <Fact name="Since">{displayDate(incident.started_at)}</Fact>
          {incident.acknowledged_at !== null && (
            <Fact name="Acknowledged">
              {displayDate(incident.acknowledged_at)}
              {incident.acknowledged_by !== null && (
                <>
                  {' by '}
                  <VisibleText text={incident.acknowledged_by.name} />
                </>
              )}
            </Fact>
          )}
          {incident.resolved_at !== null && <Fact name="Resolved">{displayDate(incident.resolved_at)}</Fact>}
        </dl>
      </section>
      <IncidentChart incident={incident} />
      <section className={classes['card']} aria-labelledby="incident-affected">
        <h2 id="incident-affected" className={classes['heading']}>
          Affected <span className={classes['count']}>{groupedNumber(affected)}</span>
        </h2>
        <ul className={classes['names']}>
          {[...new Set(names)].map((name) => (
            <li key={name}>
              <VisibleText text={name} />
            </li>
          ))}
        </ul>
        {rest > 0 && <p className="note">and {groupedNumber(rest)} more</p>}
      </section>
      <IncidentTimeline incident={incident} />
    </div>
  );
}

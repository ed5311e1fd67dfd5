import type { IncidentDetails, IncidentMessage } from '@switchyard/contract/alerts';
import type { ReactNode } from 'react';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './incidents.module.css';

type TimelineEvent = IncidentDetails['timeline'][number];
type Entry = { key: string; at: string; text: ReactNode; note: string | null };

const eventTexts: Readonly<Record<TimelineEvent['event'], string>> = {
  fired: 'Fired',
  acknowledged: 'Acknowledged',
  silenced: 'Not announced, because it is silenced',
  announced: 'Announced in the channels',
  resolved: 'Resolved',
};

const messageNames: Readonly<Record<IncidentMessage['event'], string>> = { fired: 'Beginning', reminded: 'Reminder', resolved: 'End' };

/** The outcome of a message, up to the name of its channel. */
function outcomeOf({ state, attempts }: IncidentMessage): string {
  if (state === 'pending') return attempts === 0 ? 'waiting to be sent to' : 'not delivered yet to';
  return { sent: 'sent to', failed: 'not delivered to', dropped: 'dropped for' }[state];
}

/** The events of an incident and the channels that took its messages, in the order of time. */
export function IncidentTimeline({ incident: { timeline, messages } }: { incident: IncidentDetails }) {
  const displayDate = useDisplayDate();
  const events = timeline.map(({ at, event, actor, note }): Entry => ({
    key: `${at} ${event} ${note ?? ''}`,
    at,
    text: (
      <>
        {eventTexts[event]}
        {actor !== null && (
          <>
            {' by '}
            <VisibleText text={actor.name} />
          </>
        )}
      </>
    ),
    note,
  }));
  const deliveries = (messages ?? []).map((message): Entry => {
    const { channel, event, sent_at: sentAt, created_at: createdAt, next_attempt_at: nextAt, attempts, answer } = message;
    return {
      key: `${event} ${channel.id} ${createdAt}`,
      at: sentAt ?? createdAt,
      text: (
        <>
          {messageNames[event]} {outcomeOf(message)}{' '}
          <AppLink href={paths.channelEdit(channel.id)}>
            <VisibleText text={channel.name} />
          </AppLink>
          {attempts > 0 && nextAt !== null && `. Next attempt: ${displayDate(nextAt)}`}
        </>
      ),
      note: answer,
    };
  });
  // Dates of one form compare as texts; what happened in one second stays in this order.
  const entries = [...events, ...deliveries].toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  return (
    <section className={classes['card']} aria-labelledby="incident-timeline">
      <h2 id="incident-timeline" className={classes['heading']}>
        Timeline
      </h2>
      <ol className={classes['timeline']}>
        {entries.map(({ key, at, text, note }) => (
          <li key={key}>
            <span className={classes['at']}>{displayDate(at)}</span>
            <span>
              {text}
              {note !== null && note !== '' && (
                <q className={classes['note']}>
                  <VisibleText text={note} />
                </q>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

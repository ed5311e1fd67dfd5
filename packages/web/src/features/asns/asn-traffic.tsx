import { asnTrafficDays, getAsnTraffic, type AsnRow, type AsnTraffic } from '@switchyard/contract/asns';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, inBackground } from '../../shared/api/call.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { stringifySearch } from '../../shared/search-codec.ts';
import { useHoldsAny } from '../../shared/session/use-session.ts';
import { plainClasses } from '../../shared/ui/plain-buttons.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import { RetryNote } from '../../shared/ui/retry.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { KnownSystemsNote } from '../../traffic/known-systems-note.tsx';
import classes from './asn-traffic.module.css';

/** The number of a system; readers of requests open its traffic with it. */
export function AsnCode({ asn: { code, name } }: { asn: AsnRow }) {
  const [isOpen, setOpen] = useState(false);
  if (!useHoldsAny('manager_app_all_requests')) return <span className="tabular">{code}</span>;
  return (
    <>
      <button
        type="button"
        className={plainClasses.button.root}
        title={`Traffic of AS${code} in the last ${asnTrafficDays} days`}
        onClick={() => setOpen(true)}
      >
        <span className="tabular">{code}</span>
      </button>
      {isOpen && (
        <Popup isOpen onClose={() => setOpen(false)} title={`AS${code}${name === '' ? '' : ` ${name}`}`} width={520}>
          <Traffic code={code} />
        </Popup>
      )}
    </>
  );
}

function Traffic({ code }: { code: number }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['asn-traffic', code],
    queryFn: ({ signal }) => call(getAsnTraffic, { params: { asn: code }, signal, ...inBackground }),
  });
  if (data !== undefined) return <Figures traffic={data.data} />;
  if (error === null) return <Skeleton component="output" display="block" height={180} aria-label="Counting" />;
  return (
    <RetryNote isRunning={isFetching} onRetry={refetch}>
      Could not be counted: {error.message}
    </RetryNote>
  );
}

type Counts = { requests: number; successes: number };

function inWords({ requests, successes }: Counts): string {
  return `${groupedNumber(requests)} ${requests === 1 ? 'request' : 'requests'}, ${groupedNumber(successes)} of them successful`;
}

function Figures({ traffic: { code, from, to, total, days, apps, ban, unknown } }: { traffic: AsnTraffic }) {
  const list = paths.requests() + stringifySearch({ asn: [String(code)], startDate: from, endDate: to });
  const most = Math.max(...days.map(({ requests }) => requests), 1);
  return (
    <div className={classes['traffic']}>
      <h3>Last {asnTrafficDays} days</h3>
      <p>
        {inWords(total)}, {groupedNumber(total.bots)} of bots. <AppLink href={list}>Show in All Requests</AppLink>
      </p>
      <ol className={classes['days']} aria-label="Requests by day">
        {days.map(({ day, requests }) => (
          <li key={day} title={`${day}: ${groupedNumber(requests)} requests`} style={{ height: `${(100 * requests) / most}%` }} />
        ))}
      </ol>
      <h3>A ban would have blocked</h3>
      <dl>
        <dt>Create</dt>
        <dd>{inWords(ban.create)}</dd>
        <dt>Receive</dt>
        <dd>{inWords(ban.receive)}</dd>
      </dl>
      {apps.length > 0 && (
        <>
          <h3>Most requests to</h3>
          <dl>
            {apps.map(({ id, name, requests }) => (
              <div key={id}>
                <dt>
                  <VisibleText text={name ?? `App ${id}`} />
                </dt>
                <dd>{groupedNumber(requests)} requests</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {unknown > 0 && (
        <>
          <p className="note">
            The autonomous system of {groupedNumber(unknown)} requests of these days is not known: they arrived before systems were stored.
          </p>
          <KnownSystemsNote />
        </>
      )}
    </div>
  );
}

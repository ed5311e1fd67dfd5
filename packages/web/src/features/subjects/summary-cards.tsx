import { countryName } from '@switchyard/contract/countries';
import { requestTypes } from '@switchyard/contract/requests';
import type { AddressSummary, ClientSummary } from '@switchyard/contract/subjects';
import type { ReactNode } from 'react';
import { BanTicks } from '../../shared/blocks/ban-ticks.tsx';
import { CountryFlag } from '../../shared/countries/country-flag.tsx';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useHoldsAny } from '../../shared/session/use-session.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { RequestTypeLabel } from '../../traffic/request-type-label.tsx';
import classes from './subjects.module.css';
import { AddressLink, ClientLink } from './timeline-columns.tsx';
import { Fact } from '../../shared/ui/fact.tsx';

type CardProps = {
  title: string;
  count?: number;
  isWide?: boolean;
  /** A button beside the heading. */ tool?: ReactNode;
  children: ReactNode;
};

/** A part of the summary under its heading. */
export function Card({ title, count, isWide, tool, children }: CardProps) {
  return (
    <section className={classes['card']} aria-label={title} data-wide={isWide}>
      <h2 className={classes['cardTitle']}>
        {title}
        {count !== undefined && <span className={classes['total']}>{groupedNumber(count)}</span>}
        {tool}
      </h2>
      {children}
    </section>
  );
}

type SummaryProps = { summary: ClientSummary | AddressSummary };

/** First and last occurrence, and number of events. */
export function SeenCard({ summary }: SummaryProps) {
  const displayDate = useDisplayDate();
  const { requests, first_seen_at: first, last_seen_at: last } = summary;
  return (
    <Card title="Seen">
      <dl className={`${classes['facts'] ?? ''} ${classes['lines'] ?? ''}`}>
        <Fact name="First">{displayDate(first)}</Fact>
        <Fact name="Last">{displayDate(last)}</Fact>
        <Fact name="Requests">{groupedNumber(requests)}</Fact>
        {'pushes' in summary && summary.pushes !== null && <Fact name="Pushes">{groupedNumber(summary.pushes)}</Fact>}
        {'conversions' in summary && summary.conversions !== null && <Fact name="Conversions">{groupedNumber(summary.conversions)}</Fact>}
      </dl>
    </Card>
  );
}

/** Requests by type, those that occur. */
export function TypesCard({ summary: { types } }: SummaryProps) {
  return (
    <Card title="Requests by type">
      <ul className={classes['list']}>
        {requestTypes
          .filter((type) => types[type] > 0)
          .map((type) => (
            <li key={type} className={classes['item']}>
              <RequestTypeLabel type={type} isCounted />
              <Count value={types[type]} />
            </li>
          ))}
      </ul>
    </Card>
  );
}

/** Apps, those with most requests first; a link where the reader may open the app's requests. */
export function AppsCard({ summary: { apps } }: SummaryProps) {
  const mayEdit = useHoldsAny('manager_app_edit');
  const maySeeRequests = useHoldsAny('manager_app_requests');
  return (
    <Card title="Apps" count={apps.length}>
      <ul className={classes['list']}>
        {apps.map(({ id, name, deleted_at: deletedAt, requests }) => (
          <li key={id} className={classes['item']}>
            <span className={classes['itemName']}>
              {mayEdit && maySeeRequests && deletedAt === null ? (
                <AppLink href={paths.appEdit(id, 'Event')}>
                  <VisibleText text={name} />
                </AppLink>
              ) : (
                <VisibleText text={name} />
              )}
              {deletedAt !== null && <span className={classes['note']}> archived</span>}
            </span>
            <Count value={requests} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Countries, those with most requests first. */
export function CountriesCard({ summary: { countries } }: SummaryProps) {
  return (
    <Card title="Countries" count={countries.length}>
      <ul className={classes['list']}>
        {countries.map(({ code, requests }) => (
          <li key={code ?? ''} className={classes['item']}>
            <CountryFlag code={code} isDecorative />
            <span className={classes['itemName']}>{code === null ? 'No country' : countryName(code)}</span>
            <Count value={requests} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The latest addresses of a client, with what blocks them; readers who may ban them tick several. */
export function AddressesCard({ summary, onChange }: { summary: ClientSummary; onChange: () => Promise<void> }) {
  const { uid, addresses, addresses_total: total } = summary;
  const displayDate = useDisplayDate();
  const ips = addresses.map(({ ip }) => ip);
  return (
    <BanTicks kind="address" values={ips} fingerprint={uid} onOver={() => void onChange()}>
      {(bans) => (
        <Card title="Addresses" count={total} isWide tool={bans.button}>
          {bans.bar}
          <ul className={classes['list']}>
            {addresses.map(({ ip, country, requests, last_seen_at: last, asn, blocked_by: blocks }) => (
              <li key={ip} className={classes['item']}>
                {bans.boxOf(ip)}
                <span className={classes['itemName']}>
                  <AddressLink country={country} ip={ip} />
                  <span className={classes['note']}>
                    {asn !== null && (
                      <>
                        AS{asn.code} <VisibleText text={asn.name} />,{' '}
                      </>
                    )}
                    last {displayDate(last)}
                  </span>
                </span>
                {[...new Set(blocks.map(({ kind }) => kind))].map((kind) => (
                  <span key={kind} className={classes['mark']} data-tone="danger">
                    {kind === 'asn' ? 'ASN banned' : kind === 'network' ? 'network black-listed' : 'black-listed'}
                  </span>
                ))}
                <Count value={requests} />
              </li>
            ))}
          </ul>
          {total > addresses.length && <p className={classes['note']}>The {addresses.length} seen last are shown.</p>}
        </Card>
      )}
    </BanTicks>
  );
}

/** The latest clients of an address. */
export function ClientsCard({ summary: { clients, clients_total: total } }: { summary: AddressSummary }) {
  const displayDate = useDisplayDate();
  return (
    <Card title="Clients" count={total} isWide>
      <ul className={classes['list']}>
        {clients.map(({ uid, requests, last_seen_at: last }) => (
          <li key={uid} className={classes['item']}>
            <span className={classes['itemName']}>
              <ClientLink uid={uid} />
              <span className={classes['note']}>last {displayDate(last)}</span>
            </span>
            <Count value={requests} />
          </li>
        ))}
      </ul>
      {total > clients.length && <p className={classes['note']}>The {clients.length} seen last are shown.</p>}
    </Card>
  );
}

function Count({ value }: { value: number }) {
  return <span className={classes['count']}>{groupedNumber(value)}</span>;
}

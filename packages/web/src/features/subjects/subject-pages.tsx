import { Alert, Skeleton } from '@mantine/core';
import { canonicalNetwork } from '@switchyard/contract/ip-network';
import { clientUidCharacters } from '@switchyard/contract/limits';
import { timelineKinds, timelineQuery, type AddressSummary, type ClientSummary, type TimelineKind } from '@switchyard/contract/subjects';
import { IconAlertTriangle, IconMapPinOff, IconUserOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { manyFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../shared/listing/filter.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { useTextParam } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { paths } from '../../shared/paths.ts';
import { useHoldsAny } from '../../shared/session/use-session.ts';
import { CopyButton } from '../../shared/ui/copy.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { topOfAll } from '../../traffic/top-values/top-calls.ts';
import { TopValuesPanel } from '../../traffic/top-values/top-values-panel.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { AsnCard, BlackListCard, RulesCard } from './blocks-card.tsx';
import classes from './subjects.module.css';
import { addressSubject, clientSubject, nothingSeen, type Subject, type TimelineQuery } from './subject.ts';
import { AddressesCard, AppsCard, ClientsCard, CountriesCard, SeenCard, TypesCard } from './summary-cards.tsx';
import { addressColumns, blockColumns, clientColumns } from './timeline-columns.tsx';
import { kindNames } from './timeline-entry.ts';
import { Timeline } from './timeline.tsx';
import { RetryButton } from '../../shared/ui/retry.tsx';

/** Everything that a client did. */
export function ClientPage() {
  const uid = useTextParam('uid');
  if (uid.length <= clientUidCharacters) return <Client key={uid} uid={uid} />;
  return (
    <SubjectFrame noun="client" value={uid}>
      <StatePanel icon={IconUserOff} title={nothingSeen('client')}>
        A client uid has at most {clientUidCharacters} characters; this one has {groupedNumber(uid.length)}.
      </StatePanel>
    </SubjectFrame>
  );
}

function Client({ uid }: { uid: string }) {
  const subject = clientSubject(uid);
  const summary = useSummary(subject);
  return (
    <SubjectFrame {...subject}>
      <Summary {...summary} noun="client">
        {(data) => (
          <>
            <SeenCard summary={data} />
            {data.requests > 0 && (
              <>
                <TypesCard summary={data} />
                <AppsCard summary={data} />
                <CountriesCard summary={data} />
                <AddressesCard summary={data} onChange={summary.reload} />
              </>
            )}
          </>
        )}
      </Summary>
      <Timeline subject={subject} schema={clientQuery} filters={useKindFilter()} columns={clientColumns} />
    </SubjectFrame>
  );
}

/** Everything that came from an address or a CIDR block, in whatever spelling the page's address has it. */
export function AddressPage() {
  const text = useTextParam('ip');
  const ip = canonicalNetwork(text);
  if (ip === null) {
    return (
      <SubjectFrame noun="address" value={text}>
        <StatePanel icon={IconMapPinOff} title="This is no IP address">
          Check the address of this page. It takes an IP address, or a block such as 10.0.0.0/8.
        </StatePanel>
      </SubjectFrame>
    );
  }
  return ip.includes('/') ? <Block key={ip} block={ip} /> : <Address key={ip} ip={ip} />;
}

function Address({ ip }: { ip: string }) {
  const subject = addressSubject(ip);
  const summary = useSummary(subject);
  const { reload } = summary;
  return (
    <SubjectFrame {...subject}>
      <Summary {...summary} noun="address">
        {(data) => (
          <>
            <SeenCard summary={data} />
            <BlackListCard summary={data} onChange={reload} />
            <AsnCard summary={data} onChange={reload} />
            {data.requests > 0 && <PlaceCards summary={data} />}
          </>
        )}
      </Summary>
      <Timeline subject={subject} schema={addressQuery} filters={noFilters} columns={addressColumns} />
    </SubjectFrame>
  );
}

function Block({ block }: { block: string }) {
  const subject = addressSubject(block);
  const summary = useSummary(subject);
  const seesAll = useHoldsAny('manager_app_all_requests');
  return (
    <SubjectFrame {...subject}>
      <Summary {...summary} noun="block">
        {(data) => (
          <>
            <SeenCard summary={data} />
            <RulesCard summary={data} />
            {data.requests > 0 && <PlaceCards summary={data} />}
          </>
        )}
      </Summary>
      {seesAll && <TopValuesPanel listName={subject.name} filters={{ search: block }} calls={topOfAll} />}
      <Timeline subject={subject} schema={addressQuery} filters={noFilters} columns={blockColumns} />
    </SubjectFrame>
  );
}

function PlaceCards({ summary }: { summary: AddressSummary }) {
  return (
    <>
      <TypesCard summary={summary} />
      <AppsCard summary={summary} />
      <CountriesCard summary={summary} />
      <ClientsCard summary={summary} />
    </>
  );
}

const clientQuery = timelineQuery.pick({ kind: true, cursor: true, limit: true });
/** An address has requests only. */
const addressQuery = timelineQuery.pick({ cursor: true, limit: true });
const noFilters = {};

/** A filter by kind, of those that the reader may see. */
function useKindFilter(): Filters<TimelineQuery> {
  const mayPushes = useHoldsAny('manager_app_pushes');
  const mayConversions = useHoldsAny('manager_app_conversions');
  const mayLogs = useHoldsAny('manager_dev_logs');
  const isOffered: Readonly<Record<TimelineKind, boolean>> = { request: true, push: mayPushes, conversion: mayConversions, log: mayLogs };
  const options = timelineKinds.filter((kind) => isOffered[kind]).map((kind) => ({ value: kind, name: kindNames[kind] }));
  return { kind: manyFilter({ label: 'Kind', width: 200, options, nameOf: (kind) => kindNames[kind] }) };
}

const titles = { client: 'Client', address: 'Address', block: 'Block' } as const;

/** The page: its subject as the heading, and a button that copies its address. */
function SubjectFrame({ noun, value, children }: Pick<Subject, 'noun' | 'value'> & { children: ReactNode }) {
  const title = titles[noun];
  const path = noun === 'client' ? paths.client(value) : paths.address(value);
  return (
    <Page
      title={title}
      documentTitle={`${title} ${withMarks(value)}`}
      crumbs={[{ label: value }]}
      actions={<CopyButton label="Copy link" text={window.location.origin + path} />}
    >
      {children}
    </Page>
  );
}

type SummaryState<Data> = {
  data: Data | undefined;
  failure: string | null;
  isLoading: boolean;
  reload: () => Promise<void>;
};

/** The summary of a subject; reloaded with its timeline. */
function useSummary<Data extends ClientSummary | AddressSummary>(subject: Subject<Data>): SummaryState<Data> {
  const cache = useQueryClient();
  const queryKey = [...listKey(subject.name), 'summary'];
  const { data, error, isFetching } = useQuery({ queryKey, queryFn: ({ signal }) => subject.summarise({ signal }) });
  return {
    data: data?.data,
    failure: error?.message ?? null,
    isLoading: isFetching,
    reload: () => cache.invalidateQueries({ queryKey }),
  };
}

type SummaryProps<Data> = SummaryState<Data> & { noun: string; children: (data: Data) => ReactNode };

/** The cards of a summary, or why there are none. The last ones stay while they are read again. */
function Summary<Data extends { requests: number }>({ data, failure, isLoading, reload, noun, children }: SummaryProps<Data>) {
  return (
    <>
      {failure !== null && (
        <Alert color="danger" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
          The summary of this {noun} could not be loaded: {failure} <RetryButton isRunning={isLoading} onRetry={reload} />
        </Alert>
      )}
      {data !== undefined ? (
        <div className={classes['cards']} data-screen-only>
          {children(data)}
        </div>
      ) : (
        failure === null && (
          <output aria-label="Loading the summary">
            <Skeleton height={160} radius="md" />
          </output>
        )
      )}
    </>
  );
}

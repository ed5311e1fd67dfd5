import { Alert, Button, Skeleton } from '@mantine/core';
import { timelineKinds, timelineQuery, type AddressSummary, type ClientSummary, type TimelineKind } from '@switchyard/contract/subjects';
import { IconAlertTriangle, IconMapPinOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { manyFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../shared/listing/filter.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { failureStatus } from '../../shared/listing/use-list.ts';
import { useTextParam } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { paths } from '../../shared/paths.ts';
import { useHoldsAny } from '../../shared/session/use-session.ts';
import { CopyButton } from '../../shared/ui/copy.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { AsnCard, BlackListCard } from './blocks-card.tsx';
import classes from './investigation.module.css';
import { addressSubject, clientSubject, type Subject, type TimelineQuery } from './subject.ts';
import { AddressesCard, AppsCard, ClientsCard, CountriesCard, SeenCard, TypesCard } from './summary-cards.tsx';
import { addressColumns, clientColumns } from './timeline-columns.tsx';
import { kindNames } from './timeline-entry.ts';
import { Timeline } from './timeline.tsx';

/** Everything that a client did. */
export function ClientPage() {
  const uid = useTextParam('uid');
  return <Client key={uid} uid={uid} />;
}

function Client({ uid }: { uid: string }) {
  const subject = clientSubject(uid);
  const summary = useSummary(subject);
  return (
    <SubjectFrame subject={subject}>
      <Summary {...summary} noun="client">
        {(data) => (
          <>
            <SeenCard summary={data} />
            {data.requests > 0 && (
              <>
                <TypesCard summary={data} />
                <AppsCard summary={data} />
                <CountriesCard summary={data} />
                <AddressesCard summary={data} />
              </>
            )}
          </>
        )}
      </Summary>
      <Timeline subject={subject} schema={clientQuery} filters={useKindFilter()} columns={clientColumns} />
    </SubjectFrame>
  );
}

/** Everything that came from an address. */
export function AddressPage() {
  const ip = useTextParam('ip');
  return <Address key={ip} ip={ip} />;
}

function Address({ ip }: { ip: string }) {
  const subject = addressSubject(ip);
  const summary = useSummary(subject);
  const { reload } = summary;
  if (summary.isMissing) {
    return (
      <SubjectFrame subject={subject}>
        <StatePanel icon={IconMapPinOff} title="This is no IP address">
          Check the address of this page.
        </StatePanel>
      </SubjectFrame>
    );
  }
  return (
    <SubjectFrame subject={subject}>
      <Summary {...summary} noun="address">
        {(data) => (
          <>
            <SeenCard summary={data} />
            <BlackListCard summary={data} onChange={reload} />
            <AsnCard summary={data} onChange={reload} />
            {data.requests > 0 && (
              <>
                <TypesCard summary={data} />
                <AppsCard summary={data} />
                <CountriesCard summary={data} />
                <ClientsCard summary={data} />
              </>
            )}
          </>
        )}
      </Summary>
      <Timeline subject={subject} schema={addressQuery} filters={noFilters} columns={addressColumns} />
    </SubjectFrame>
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

/** The page: its subject as the heading, and a button that copies its address. */
function SubjectFrame({ subject: { noun, value }, children }: { subject: Pick<Subject, 'noun' | 'value'>; children: ReactNode }) {
  const title = noun === 'client' ? 'Client' : 'Address';
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
  isMissing: boolean;
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
    isMissing: failureStatus(error) === 404,
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
          The summary of this {noun} could not be loaded: {failure}{' '}
          <Button size="compact-xs" variant="default" loading={isLoading} onClick={() => void reload()}>
            Try again
          </Button>
        </Alert>
      )}
      {data !== undefined ? (
        <div className={classes['cards']} data-screen-only>
          {children(data)}
        </div>
      ) : (
        failure === null && <Skeleton height={160} radius="md" aria-label="Loading the summary" />
      )}
    </>
  );
}

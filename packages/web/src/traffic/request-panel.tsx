import { Button, Skeleton } from '@mantine/core';
import { IconCloudOff, IconFileOff, IconListSearch } from '@tabler/icons-react';
import { requestMessages } from '@switchyard/contract/request-by-id';
import type { RequestRow } from '@switchyard/contract/requests';
import { failureStatus } from '../shared/listing/use-list.ts';
import { JsonPanel } from '../shared/json-panel/json-panel.tsx';
import { AppLink } from '../shared/navigation.tsx';
import { useDisplayDate } from '../shared/time/server-time.ts';
import { CopyButton } from '../shared/ui/copy.tsx';
import { StatePanel } from '../shared/ui/state-panel.tsx';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import { AsnValue } from './asn-value.tsx';
import { BlockReasons } from './block-reasons.tsx';
import { BotLabels } from './bot-labels.tsx';
import { ClientAddress } from './client-address.tsx';
import { ingestCommand } from './request-command.ts';
import classes from './request-panel.module.css';
import { RequestTypeLabel } from './request-type-label.tsx';
import { UidCell } from './uid-cell.tsx';
import type { OpenRequest } from './use-open-request.ts';
import { useRequestLinks } from './use-request-links.ts';
import { ValueMenu } from './value-menu.tsx';
import { Fact } from '../shared/ui/fact.tsx';
import { RetryButton } from '../shared/ui/retry.tsx';

/** A request and its response in full, beside the list: at once what its row has, then its origin and what blocks it. */
export function RequestPanel({ id, openedRequest }: { id: number; openedRequest: OpenRequest }) {
  const { row: request, details } = openedRequest;
  return (
    <JsonPanel
      noun="request"
      id={id}
      row={request}
      onClose={openedRequest.close}
      onStep={openedRequest.step}
      facts={
        request === undefined ? <NoRequest openedRequest={openedRequest} /> : <Facts request={request} openedRequest={openedRequest} />
      }
      parts={
        request === undefined
          ? []
          : [
              { title: 'User agent', body: request.user_agent },
              { title: 'Request body', body: request.body_request },
              { title: 'Response body', body: request.body_response },
              { title: 'Error', body: request.error, tone: request.error === null ? undefined : 'danger' },
              { title: 'Additional data', body: request.additional_data },
            ]
      }
    >
      {details !== undefined && <BlockReasons blocks={details.blocked_by} request={details} />}
    </JsonPanel>
  );
}

/** In place of a request that is not on the page: it loads, does not exist, or could not be loaded. */
function NoRequest({ openedRequest: { failure, retry, close } }: { openedRequest: OpenRequest }) {
  if (failure === null)
    return (
      <output className={classes['loading']} aria-label="Loading the request">
        <Skeleton height={12} width="60%" />
        <Skeleton height={12} width="85%" />
        <Skeleton height={12} width="40%" />
      </output>
    );
  if (failureStatus(failure) === 404) {
    const back = (
      <Button variant="default" onClick={close}>
        Back to the list
      </Button>
    );
    return (
      <StatePanel icon={IconFileOff} title={failure.message} order={3} action={back}>
        {failure.message === requestMessages.notFound &&
          'It may have been deleted because of its age, belong to an app that you may not see, or never have existed.'}
      </StatePanel>
    );
  }
  return (
    <StatePanel
      icon={IconCloudOff}
      tone="danger"
      title="The request could not be loaded"
      order={3}
      action={<RetryButton size="sm" onRetry={retry} />}
    >
      {failure.message}
    </StatePanel>
  );
}

function Facts({ request, openedRequest }: { request: RequestRow; openedRequest: OpenRequest }) {
  const displayDate = useDisplayDate();
  const links = useRequestLinks();
  const { details, failure, retry } = openedRequest;
  const { stream } = request;
  // A list that shows these has them in its rows.
  const { asn, server } = details ?? request;
  return (
    <div className={classes['facts']}>
      <div className={classes['line']}>
        <ValueMenu kind="type" value={request.type}>
          <RequestTypeLabel type={request.type} />
        </ValueMenu>
        <span className="tabular">{displayDate(request.date)}</span>
        <ClientAddress country={request.country} ip={request.ip} />
        <BotLabels bot={request.bot} />
      </div>
      <dl className={classes['list']}>
        <Fact name="App">
          <ValueMenu kind="app" value={String(request.app_id)} text={request.app_bundle} copyText={request.app_bundle}>
            <VisibleText text={request.app_bundle} />
          </ValueMenu>
        </Fact>
        <Fact name="Stream">
          {stream === null ? (
            '-'
          ) : (
            <ValueMenu kind="stream" value={stream.uid} text={stream.name ?? stream.uid}>
              <VisibleText text={stream.name ?? stream.uid} />
            </ValueMenu>
          )}
        </Fact>
        <Fact name="Client uid">
          <UidCell uid={request.client_uid} noun="client uid" kind="client" />
        </Fact>
        <Fact name="Postbacks domain">{request.postbacks_domain === '' ? '-' : <VisibleText text={request.postbacks_domain} />}</Fact>
        <Fact name="ASN">{asn === undefined ? <Pending hasFailed={failure !== null} /> : <AsnValue asn={asn} />}</Fact>
        <Fact name="Server">
          {server === undefined ? <Pending hasFailed={failure !== null} /> : <VisibleText text={server?.name ?? '-'} />}
        </Fact>
      </dl>
      {failure !== null && asn === undefined && (
        <div className={classes['line']} role="alert">
          ASN and server could not be loaded.
          <RetryButton onRetry={retry} />
        </div>
      )}
      <div className="wrap" data-screen-only>
        <CopyButton label="Copy link" text={location.origin + links.to(request)} />
        <CopyButton label="Copy as cURL" text={ingestCommand(request, location.origin)} isCommand />
        <Button
          component={AppLink}
          href={links.inList(request)}
          variant="default"
          size="xs"
          leftSection={<IconListSearch size={14} aria-hidden />}
        >
          Show in list
        </Button>
      </div>
    </div>
  );
}

function Pending({ hasFailed }: { hasFailed: boolean }) {
  return hasFailed ? '-' : <Skeleton component="span" display="inline-block" height={10} width={120} />;
}
